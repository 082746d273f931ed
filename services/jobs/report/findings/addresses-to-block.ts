import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, counted, nameText, tableOrNone, whole } from '../model/texts.js';

export const addressesToBlock: Find = ({ recommendations }) => {
  const addresses = recommendations?.ips_to_block ?? [];
  if (addresses.length === 0) return null;
  return {
    title: 'Harmful addresses are let in',
    figure: `${counted(addresses.length, 'address', 'addresses')} probed for weaknesses, scraped pages, or pretended to be a crawler.`,
    why: 'These requests take capacity from visitors and crawlers, and a probe may find a weakness.',
    action:
      'Block these addresses. The column “Why” also names what else a rule could affect, such as shared networks.',
    read: 'GET /recommendations',
    impact: impact(15 + addresses.length / 2, 40),
    examples: tableOrNone(
      'With the highest score',
      [column('Address'), column('Network'), column('Why'), column('Requests', 'number')],
      addresses
        .slice(0, MOST_EXAMPLES)
        .map(({ ip, as_name, reason_badges, request_count }) => [
          nameText(ip),
          nameText(as_name),
          nameText(reason_badges.map((badge) => badge.replaceAll('_', ' ')).join(', ')),
          whole(request_count),
        ]),
    ),
  };
};
