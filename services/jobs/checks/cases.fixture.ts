import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../shared/checks/verdict.js';
import type { Check, Gathered } from './check.js';
import { absent } from './check.js';
import { gathered } from './facts.fixture.js';

/** A verdict of a check: what was gathered beside what is well, and a part of the evidence. */
export type Case = readonly [verdict: Verdict, of: string, given: Partial<Gathered>, evidence?: object];

const reason = absent('This installation fetches nothing from websites.', 'not_checked');

/** Every check of a category passes a website on which nothing is wrong, unless a case says otherwise, and is unknown where what it needs is not there. */
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
    test('is unknown, for the reason that is told, where what it needs is not there', () => {
      for (const name of check.needs) {
        if (name === 'now' || name === 'flow') continue;
        expect(check.judge(gathered({ [name]: reason }))).toEqual({
          verdict: 'unknown',
          evidence: reason.absent,
        });
      }
    });
  });
}
