import type { RealCrawler } from '../../../../shared/reads/bots/classify-access.js';
import { paragraph, type Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { column, nameText, table, whole } from '../model/texts.js';

const MOST_CRAWLERS = 20;
const words: Readonly<Record<RealCrawler, string>> = {
  let_in: 'let in',
  limited: 'blocked in part',
  shut_out: 'blocked',
  inverted: 'blocked, impostors are served',
  charged: 'asked to pay (402)',
  unanswered: 'other responses',
  unproved: 'not verified',
  absent: 'impostors only',
};

/** The search and AI crawlers that are served, and those that are blocked. */
export function access({ access: { bots } }: ReportData): Section {
  const crawlers = bots.filter(({ bot_category }) => bot_category === 'search' || bot_category === 'ai');
  const shown = crawlers.slice(0, MOST_CRAWLERS);
  const blocks =
    shown.length === 0
      ? [paragraph('No search or AI crawler sent a request in the period.')]
      : [
          paragraph(
            'The status of a crawler follows from its verified requests. Blocked means 401, 403, 429 or 451; 402 (payment required) is counted apart. Served means 2xx or 3xx, so 404 and server errors are in neither column. The last two columns count all other requests under the same name: impostors and requests that cannot be verified.',
          ),
          table(
            `Served and blocked requests by crawler${shown.length < crawlers.length ? `, the first ${shown.length} of ${whole(crawlers.length)}` : ''}`,
            [
              column('Crawler'),
              column('Status'),
              column('Served', 'number'),
              column('Blocked', 'number'),
              column('402', 'number'),
              column('Unverified, served', 'number'),
              column('Unverified, blocked', 'number'),
            ],
            shown.map((bot) => [
              nameText(bot.bot_name),
              words[bot.real_crawler],
              whole(bot.served.verified),
              whole(bot.rejected.verified),
              whole(bot.payment_required.verified),
              whole(bot.served.unverified),
              whole(bot.rejected.unverified),
            ]),
          ),
        ];
  return { id: 'access', title: 'Crawlers that are let in or blocked', blocks };
}
