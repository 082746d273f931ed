import { percentOf } from '../../../../shared/answers/figures.js';
import type { Judgement } from '../../../../shared/checks/verdict.js';
import { pass, unknown, warn } from '../check.js';

/** Requests in seven days: a share of fewer says little. */
const LEAST = 50;
const WARN_PCT = 20;

export interface Claims {
  readonly claims: number;
  readonly spoofed: number;
  /** Not verified yet: they may turn out to be impostors. */
  readonly pending: number;
}

/** How much of what claims to be a crawler is an impostor. @param kind `a search crawler` */
export function judgeClaims({ claims, spoofed, pending }: Claims, kind: string, why: string): Judgement {
  if (claims < LEAST)
    return unknown(`Fewer than ${LEAST} requests claimed to be of ${kind} in seven days.`, { claims });
  const share = percentOf(spoofed, claims);
  const seen = { claims, spoofed, spoofed_pct: share, pending_requests: pending };
  const note = `${share} % of what claimed to be ${kind} in seven days was proved not to be.`;
  if (share >= WARN_PCT)
    return warn(`${note} ${why}`, {
      ...seen,
      advisories: [
        'Turn away the addresses that /recommendations lists, not the name: that would meet the real crawler.',
      ],
    });
  if (percentOf(spoofed + pending, claims) >= WARN_PCT)
    return unknown(`${note} ${pending} of ${claims} are not verified yet.`, { ...seen, outcome: 'partial' });
  return pass(note, seen);
}
