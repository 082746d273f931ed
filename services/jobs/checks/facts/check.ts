import type { Evidence, Judgement, Outcome } from '../../../../shared/reads/checks/verdict.js';
import type { Facts } from './facts.js';

/** A nightly check: one value in one file, listed in all-checks.ts. Judging is pure; its facts are gathered once for all checks (gather/). */

export type Category =
  | 'crawling'
  | 'sitemaps'
  | 'addresses'
  | 'answers'
  | 'bots'
  | 'speed'
  | 'page'
  | 'security'
  | 'logs';

/** The reason for a missing fact. A check that needs the fact reports it. */
export interface Absent {
  readonly absent: Evidence;
  /** Another job is about to store the fact. */
  readonly isToCome?: true;
}

/** The gathered facts of a website. */
export type Gathered = { readonly [Name in keyof Facts]: Facts[Name] | Absent };

interface CheckText {
  /** Stable: histories and settings refer to it. */
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  /** 1 to 10, by the impact on search results. */
  readonly weight: number;
}

export interface Check extends CheckText {
  readonly needs: readonly (keyof Facts)[];
  /** Never throws on any content of a website. */
  readonly judge: (gathered: Gathered) => Judgement;
}

/** @param given its judge runs only if all facts that it needs are present. Otherwise the check is unknown, for the reason of the missing fact */
export function defineCheck<const Needs extends readonly (keyof Facts)[]>(
  given: CheckText & {
    readonly needs: Needs;
    readonly judge: (facts: Pick<Facts, Needs[number]>) => Judgement;
  },
): Check {
  return {
    ...given,
    judge(gathered) {
      for (const name of given.needs) {
        const fact: object | number = gathered[name];
        if (typeof fact === 'object' && 'absent' in fact)
          return { verdict: 'unknown', evidence: (fact as Absent).absent };
      }
      return given.judge(gathered as Facts);
    },
  };
}

type More = Omit<Evidence, 'note'>;
const judgement =
  (verdict: Judgement['verdict']) =>
  (note: string, more: More = {}): Judgement => ({
    verdict,
    evidence: { note, ...more },
  });

export const pass = judgement('pass');
export const warn = judgement('warn');
export const fail = judgement('fail');
export const unknown = judgement('unknown');
export const notApplicable = judgement('not_applicable');

/** @param outcome of the failed fetch */
export function absent(note: string, outcome: Outcome, more: More = {}): Absent {
  return { absent: { note, ...more, outcome } };
}
