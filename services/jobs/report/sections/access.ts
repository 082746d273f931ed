import type { RealCrawler } from '../../../../shared/answers/classify-access.js';
import { paragraph, type Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { column, nameText, table, whole } from '../texts.js';

const MOST_CRAWLERS = 20;
const words: Readonly<Record<RealCrawler, string>> = {
  let_in: 'let in',
  limited: 'turned away in part',
  shut_out: 'shut out',
  inverted: 'shut out, and impostors get in',
  charged: 'asked to pay',
  unanswered: 'answered otherwise',
  unproved: 'not proved',
  absent: 'impostors alone',
};

/** Who was let in and who was turned away, search and AI crawlers each. */
export function access({ access: { bots } }: ReportData): Section {
  const crawlers = bots.filter(({ bot_category }) => bot_category === 'search' || bot_category === 'ai');
  const shown = crawlers.slice(0, MOST_CRAWLERS);
  const blocks =
    shown.length === 0
      ? [paragraph('No search or AI crawler came in the period.')]
      : [
          paragraph(
            'Proved requests decide how a crawler fares. The last two columns are all others under its name: impostors, and claims that nothing proves. Refused is 401, 403, 429 and 451; 402 asks for payment and is counted apart.',
          ),
          table(
            `Served and refused, by crawler${shown.length < crawlers.length ? `, the first ${shown.length} of ${whole(crawlers.length)}` : ''}`,
            [
              column('Crawler'),
              column('The real one is'),
              column('Served', 'number'),
              column('Refused', 'number'),
              column('402', 'number'),
              column('Others served', 'number'),
              column('Others refused', 'number'),
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
  return { id: 'access', title: 'Crawlers let in and turned away', blocks };
}
