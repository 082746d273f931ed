import { describe, expect, test } from 'vitest';
import type { Check, Gathered } from '../../../services/jobs/checks/facts/check.js';
import { absent } from '../../../services/jobs/checks/facts/check.js';
import type { Verdict } from '../../../shared/reads/checks/verdict.js';
import { gathered } from './check-facts.js';

/** A verdict of a check, from facts without problems with some changed, and a part of the evidence. */
export type Case = readonly [verdict: Verdict, of: string, given: Partial<Gathered>, evidence?: object];

const reason = absent('This installation fetches nothing from websites.', 'not_checked');

/** Tests the verdict of each case. Each check is unknown, with the reason, if an optional fact is absent. */
export function checkCases(cases: readonly (readonly [Check, readonly Case[]])[]): void {
  describe.each(cases.map(([check, own]) => ({ id: check.id, check, own })))('$id', ({ check, own }) => {
    test.each(own.map(([verdict, of, given, evidence]) => ({ verdict, of, given, evidence })))(
      '$verdict: $of',
      ({ verdict, given, evidence }) => {
        expect(check.judge(gathered(given))).toMatchObject({
          verdict,
          evidence: { note: expect.any(String), ...evidence },
        });
      },
    );
    const mayBeAbsent = check.needs.filter((name) => name !== 'now' && name !== 'flow');
    test.each(mayBeAbsent)('is unknown, with the given reason, without %s', (name) => {
      const judged = check.judge(gathered({ [name]: reason }));
      expect(judged).toEqual({ verdict: 'unknown', evidence: reason.absent });
    });
  });
}
