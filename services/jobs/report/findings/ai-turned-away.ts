import { turnedAwayPct } from '../../../../shared/reads/bots/classify-access.js';
import { type Find, MOST_EXAMPLES } from '../model/finding.js';
import type { ReportData } from '../model/report-data.js';
import { column, counted, nameText, tableOrNone, whole } from '../model/texts.js';

const LEAST_REJECTED_PCT = 50;
const LEAST = 20;

type Bot = ReportData['access']['bots'][number];

/** Judges each crawler by its verified requests. Without any, the unverified ones count, and the text says so. */
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
    title: 'AI crawlers are blocked',
    figure: [
      `${counted(refused.length, 'AI crawler was', 'AI crawlers were')} blocked more often than served.`,
      ...inverted
        .slice(0, MOST_EXAMPLES)
        .map(
          ({ bot }) =>
            `The verified ${nameText(bot.bot_name)} is blocked while impostors are served: ${counted(bot.served.unverified, 'unverified request under its name was', 'unverified requests under its name were')} served.`,
        ),
      ...(unproved === 0
        ? []
        : [
            `${counted(unproved, 'crawler has', 'crawlers have')} no verified request, so unverified requests are counted.`,
          ]),
    ].join(' '),
    why: 'Assistants cannot cite pages that their crawlers cannot read. If you block these crawlers on purpose, nothing needs to change. Bot rules of CDNs often block them by default.',
    action:
      'Decide for each crawler. State the decision in robots.txt, and let the firewall do the same by verified address.',
    read: 'GET /bots/access',
    impact: inverted.length > 0 ? 60 : 35,
    examples: tableOrNone(
      'Blocked AI crawlers, by verified requests',
      [
        column('Crawler'),
        column('Operator'),
        column('Blocked', 'number'),
        column('Served', 'number'),
        column('Impostors served', 'number'),
      ],
      refused
        .slice(0, MOST_EXAMPLES)
        .map(({ bot, rejected, served, isProved }) => [
          `${nameText(bot.bot_name)}${isProved ? '' : ' (unverified)'}`,
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
