import { turnedAwayPct } from '../../../../shared/answers/classify-access.js';
import type { ReportData } from '../report-data.js';
import { column, counted, nameText, tableOrNone, whole } from '../texts.js';
import { type Find, MOST_EXAMPLES } from './finding.js';

const LEAST_REJECTED_PCT = 50;
const LEAST = 20;

type Bot = ReportData['access']['bots'][number];

/** Each by its proved requests; by the unproved ones where none is proved, which is said. */
export const aiTurnedAway: Find = ({ access }) => {
  const refused = access.bots
    .filter(({ bot_category }) => bot_category === 'ai')
    .map((bot) => ({ bot, ...judged(bot) }))
    .filter(isRefused)
    .sort((one, other) => other.rejected - one.rejected);
  if (refused.length === 0) return null;
  const inverted = refused.filter(({ bot }) => bot.real_crawler === 'inverted');
  const unproved = refused.filter(({ isProved }) => !isProved).length;
  return {
    title: 'AI crawlers are turned away',
    figure: [
      `${counted(refused.length, 'AI crawler was', 'AI crawlers were')} refused more often than served.`,
      ...inverted
        .slice(0, MOST_EXAMPLES)
        .map(
          ({ bot }) =>
            `The real ${nameText(bot.bot_name)} is shut out, and impostors get in: ${counted(bot.served.unverified, 'unverified request under its name was', 'unverified requests under its name were')} served.`,
        ),
      ...(unproved === 0
        ? []
        : [
            `${counted(unproved, 'of them is', 'of them are')} judged by unproved requests, because none is proved.`,
          ]),
    ].join(' '),
    why: 'Assistants can not cite what their crawlers may not read. Where that is meant it is in order; a bot rule of a CDN often does it unasked.',
    action:
      'Decide for each of them, then say it in robots.txt and let the firewall do the same, by verified address and not by name.',
    read: 'GET /bots/access',
    impact: inverted.length > 0 ? 60 : 35,
    examples: tableOrNone(
      'Refused AI crawlers, by proved requests',
      [
        column('Crawler'),
        column('Operator'),
        column('Refused', 'number'),
        column('Served', 'number'),
        column('Others under its name served', 'number'),
      ],
      refused
        .slice(0, MOST_EXAMPLES)
        .map(({ bot, rejected, served, isProved }) => [
          `${nameText(bot.bot_name)}${isProved ? '' : ' (not proved)'}`,
          nameText(bot.bot_operator),
          whole(rejected),
          whole(served),
          whole(isProved ? bot.served.unverified : bot.served.spoofed),
        ]),
    ),
  };
};

function judged({ verified_requests, served, rejected, payment_required: charged }: Bot) {
  const isProved = verified_requests > 0;
  const of = (split: Bot['served']) => (isProved ? split.verified : split.unverified - split.spoofed);
  return { isProved, served: of(served), rejected: of(rejected), charged: of(charged) };
}

function isRefused({ served, rejected }: { readonly served: number; readonly rejected: number }): boolean {
  const share = turnedAwayPct({ requests: served + rejected, served, rejected, charged: 0 });
  return rejected >= LEAST && share !== null && share >= LEAST_REJECTED_PCT;
}
