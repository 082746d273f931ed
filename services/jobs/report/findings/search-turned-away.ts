import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import type { ReportData } from '../model/report-data.js';
import { column, nameText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST = 10;
const LEAST_PCT = 1;
/** The impact of one search engine that is always rejected, even if it comes rarely. */
const SHUT_OUT_IMPACT = 75;

/** Counts requests that are verified as the crawler's own, since rejecting impostors is correct. */
export const searchTurnedAway: Find = ({ access }) => {
  const refused = access.bots.filter(
    ({ bot_category, rejected }) => bot_category === 'search' && rejected.verified > 0,
  );
  const rejected = refused.reduce((sum, bot) => sum + bot.rejected.verified, 0);
  const served = access.bots
    .filter(({ bot_category }) => bot_category === 'search')
    .reduce((sum, bot) => sum + bot.served.verified, 0);
  const share = shareOf(rejected, rejected + served);
  const shutOut = refused.filter(
    ({ real_crawler, rejected: own }) =>
      (real_crawler === 'shut_out' || real_crawler === 'inverted') && own.verified >= LEAST,
  );
  if (shutOut.length === 0 && (rejected < LEAST || share < LEAST_PCT)) return null;
  return {
    title: 'Verified search crawlers are blocked',
    figure: `${whole(rejected)} requests from verified search crawlers were blocked (401, 403, 429 or 451). That is ${percent(share)} of their served and blocked requests.${shutOutText(shutOut)}`,
    why: 'Search engines do not index a page that they cannot fetch, and an indexed copy becomes outdated.',
    action:
      'Allow the published addresses of these crawlers in the firewall, the CDN’s bot rules and the rate limits.',
    read: 'GET /bots/access',
    impact: impact(Math.max(65 + share, shutOut.length > 0 ? SHUT_OUT_IMPACT : 0)),
    examples: tableOrNone(
      'Blocked crawlers',
      [column('Crawler'), column('Blocked', 'number'), column('Served', 'number')],
      refused
        .slice(0, MOST_EXAMPLES)
        .map((bot) => [nameText(bot.bot_name), whole(bot.rejected.verified), whole(bot.served.verified)]),
    ),
  };
};

function shutOutText(shutOut: readonly ReportData['access']['bots'][number][]): string {
  const sentences = shutOut.slice(0, MOST_EXAMPLES).map(({ bot_name, real_crawler }) => {
    const name = nameText(bot_name);
    return real_crawler === 'inverted'
      ? ` The verified ${name} is blocked while impostors are served.`
      : ` ${name} is blocked completely.`;
  });
  return sentences.join('');
}
