import { percentOf } from '../../../../shared/reads/answer/figures.js';
import type { Judgement } from '../../../../shared/reads/checks/verdict.js';
import { pass, unknown, warn } from '../facts/check.js';
import type { BotClaims } from '../facts/facts.js';

/** Requests in seven days. Below it, a share means little. */
const LEAST = 50;
const WARN_PCT = 20;
/** At this percentage of undecided claims, a crawler is reported as unproved. */
const MOSTLY_PCT = 50;
const MOST_NAMED = 5;

/** Judges the share of impostors in the claims to be a crawler. @param own claims of these crawlers @param kind `a search crawler` */
export function judgeClaims(own: readonly BotClaims[], kind: string, why: string): Judgement {
  const sum = (of: (bot: BotClaims) => number) => own.reduce((total, bot) => total + of(bot), 0);
  const claims = sum((bot) => bot.claims);
  const spoofed = sum((bot) => bot.spoofed);
  const undecided = sum((bot) => bot.undecided);
  if (claims < LEAST)
    return unknown(`Fewer than ${LEAST} requests claimed to be from ${kind} in seven days.`, { claims });
  const share = percentOf(spoofed, claims);
  const seen = { claims, spoofed, spoofed_pct: share, unproved_requests: undecided };
  const note = `${share} % of the requests that claimed to be from ${kind} in seven days are proved impostors.`;
  if (share >= WARN_PCT)
    return warn(`${note} ${why}`, {
      ...seen,
      advisories: [
        'Block the addresses that /recommendations lists, not the name: blocking the name would block the real crawler.',
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

/** Crawlers with mostly undecided claims, most claims first. Each is judged alone. */
function mostlyUnproved(own: readonly BotClaims[]): readonly BotClaims[] {
  return own
    .filter(({ claims, undecided }) => claims >= LEAST && percentOf(undecided, claims) >= MOSTLY_PCT)
    .sort((one, other) => other.claims - one.claims)
    .slice(0, MOST_NAMED);
}

const namesOf = (unproved: readonly BotClaims[]) =>
  unproved.length === 0
    ? ''
    : `, mostly those under the names ${unproved.map(({ name }) => name).join(', ')}`;
