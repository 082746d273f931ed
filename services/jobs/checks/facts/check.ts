import type { Evidence, Judgement, Outcome } from '../../../../shared/reads/checks/verdict.js';
import type { Facts } from './facts.js';

/** A nightly check: one value in one file, named in all-checks.ts. Judging is pure; what it judges is gathered once for all (gather/). */

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

/** A fact that there is not, and why: what a check that needs it tells in its place. */
export interface Absent {
  readonly absent: Evidence;
  /** Another job is about to store it. */
  readonly isToCome?: true;
}

/** What was gathered of a website. */
export type Gathered = { readonly [Name in keyof Facts]: Facts[Name] | Absent };

interface CheckText {
  /** Stable: histories and settings name it. */
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  /** 1 to 10, by the impact on being found. */
  readonly weight: number;
}

export interface Check extends CheckText {
  readonly needs: readonly (keyof Facts)[];
  /** Never throws for what a website may send. */
  readonly judge: (gathered: Gathered) => Judgement;
}

/** @param given its judge is asked where there is everything that it needs; else the check is unknown, for the reason that the fact is absent. */
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

/** @param outcome of what can not be told */
export function absent(note: string, outcome: Outcome, more: More = {}): Absent {
  return { absent: { note, ...more, outcome } };
}
