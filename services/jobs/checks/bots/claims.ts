import { percentOf } from '../../../../shared/reads/answer/figures.js';
import type { Judgement } from '../../../../shared/reads/checks/verdict.js';
import { pass, unknown, warn } from '../facts/check.js';
import type { BotClaims } from '../facts/facts.js';

/** Requests in seven days: a share of fewer says little. */
const LEAST = 50;
const WARN_PCT = 20;
/** Percent of a crawler's claims from which on nothing is known of it. */
const MOSTLY_PCT = 50;
const MOST_NAMED = 5;

/** How much of what claims to be a crawler is an impostor. @param own claims of these crawlers @param kind `a search crawler` */
export function judgeClaims(own: readonly BotClaims[], kind: string, why: string): Judgement {
  const sum = (of: (bot: BotClaims) => number) => own.reduce((total, bot) => total + of(bot), 0);
  const claims = sum((bot) => bot.claims);
  const spoofed = sum((bot) => bot.spoofed);
  const undecided = sum((bot) => bot.undecided);
  if (claims < LEAST)
    return unknown(`Fewer than ${LEAST} requests claimed to be of ${kind} in seven days.`, { claims });
  const share = percentOf(spoofed, claims);
  const seen = { claims, spoofed, spoofed_pct: share, unproved_requests: undecided };
  const note = `${share} % of what claimed to be ${kind} in seven days was proved not to be.`;
  if (share >= WARN_PCT)
    return warn(`${note} ${why}`, {
      ...seen,
      advisories: [
        'Turn away the addresses that /recommendations lists, not the name: that would meet the real crawler.',
      ],
    });
  const unproved = mostlyUnproved(own);
  if (percentOf(spoofed + undecided, claims) >= WARN_PCT || unproved.length > 0)
    return unknown(`${note} ${undecided} of ${claims} are not proved${namesOf(unproved)}.`, {
      ...seen,
      outcome: 'partial',
      unproved_crawlers: unproved.map(({ name, claims: own, undecided: open }) => {
        return { bot: name, claims: own, unproved: open };
      }),
    });
  return pass(note, seen);
}

/** Crawlers of which most claims are open, most claims first: one that is proved says nothing of another. */
function mostlyUnproved(own: readonly BotClaims[]): readonly BotClaims[] {
  return own
    .filter(({ claims, undecided }) => claims >= LEAST && percentOf(undecided, claims) >= MOSTLY_PCT)
    .sort((one, other) => other.claims - one.claims)
    .slice(0, MOST_NAMED);
}

const namesOf = (unproved: readonly BotClaims[]) =>
  unproved.length === 0 ? '' : `, most of all those of ${unproved.map(({ name }) => name).join(', ')}`;
