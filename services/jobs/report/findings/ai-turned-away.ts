import { column, counted, nameText, percent, tableOrNone, whole } from '../texts.js';
import { type Find, MOST_EXAMPLES } from './finding.js';

const LEAST_REJECTED_PCT = 50;
const LEAST = 20;

export const aiTurnedAway: Find = ({ access }) => {
  const refused = access.bots.filter(
    ({ bot_category, rejected, rejected_share_pct }) =>
      bot_category === 'ai' && rejected.requests >= LEAST && rejected_share_pct >= LEAST_REJECTED_PCT,
  );
  if (refused.length === 0) return null;
  return {
    title: 'AI crawlers are turned away',
    figure: `${counted(refused.length, 'AI crawler was', 'AI crawlers were')} refused more often than served.`,
    why: 'Assistants can not cite what their crawlers may not read. Where that is meant it is in order; a bot rule of a CDN often does it unasked.',
    action: 'Decide for each of them, then say it in robots.txt and let the firewall do the same.',
    read: 'GET /bots/access',
    impact: 35,
    examples: tableOrNone(
      'Refused AI crawlers',
      [column('Crawler'), column('Operator'), column('Refused', 'number'), column('Share', 'number')],
      refused
        .slice(0, MOST_EXAMPLES)
        .map((bot) => [
          nameText(bot.bot_name),
          nameText(bot.bot_operator),
          whole(bot.rejected.requests),
          percent(bot.rejected_share_pct),
        ]),
    ),
  };
};
