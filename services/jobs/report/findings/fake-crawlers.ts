import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, counted, nameText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST = 50;

export const fakeCrawlers: Find = ({ bots, recommendations }) => {
  const { spoofed_requests: spoofed, bot_requests: all } = bots.totals;
  if (spoofed < LEAST) return null;
  const share = shareOf(spoofed, all);
  return {
    title: 'Impostors pretend to be crawlers',
    figure: `${counted(spoofed, 'request', 'requests')} named a crawler but came from addresses that the crawler does not use. That is ${percent(share)} of all bot requests.`,
    why: 'Impostors copy content, look for weaknesses and take capacity. Rules that trust the user agent let them in.',
    action:
      'Block by address, not by user agent. Loglane writes the rules for common firewalls (GET /recommendations/snippet).',
    read: 'GET /recommendations/unverified-bots',
    impact: impact(15 + share * 2, 50),
    examples: tableOrNone(
      'Impostors with the highest score',
      [column('Claims to be'), column('Address'), column('Network'), column('Requests', 'number')],
      (recommendations?.unverified_bots ?? [])
        .slice(0, MOST_EXAMPLES)
        .map(({ claimed_bot, ip, as_name, request_count }) => [
          nameText(claimed_bot),
          nameText(ip),
          nameText(as_name),
          whole(request_count),
        ]),
    ),
  };
};
