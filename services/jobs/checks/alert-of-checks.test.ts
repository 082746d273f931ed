import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { CheckResult, Verdict } from '../../../shared/reads/checks/verdict.js';
import { NOW } from '../../../test/harness/jobs/check-facts.js';
import { alertsOfChecks } from './alert-of-checks.js';

const NIGHT_BEFORE = NOW - DAY_MS;

const result = (verdict: Verdict, weight = 6): CheckResult => ({
  ...{ checkId: 'robots_reachable', title: 'robots.txt answers', category: 'crawling', weight, verdict },
  evidence: { note: 'It is answered with a server error.', outcome: 'server_error', status: 503 },
});

/** A night, with the verdict before it and the stored alerts. */
const night = (
  verdict: Verdict,
  lastKnown: Verdict | null | 'new',
  known: readonly Alert[] = [],
  now = NOW,
) =>
  alertsOfChecks({
    websiteId: 'web_1',
    now,
    results: [result(verdict)],
    before:
      lastKnown === 'new' ? [] : [{ checkId: 'robots_reachable', evaluatedAt: NIGHT_BEFORE, lastKnown }],
    known,
  });

describe('a check that fails', () => {
  test.each(['pass', 'warn', 'not_applicable'] as const)('is an alert if it was %s', (before) => {
    expect(night('fail', before)).toEqual([
      {
        websiteId: 'web_1',
        alertId: expect.stringMatching(/^2026-11-22T03:00:00\.000Z#[0-9a-f]{6}$/),
        type: 'check_failed',
        severity: 'warning',
        subject: 'robots_reachable',
        message: 'The nightly check “robots.txt answers” fails. It is answered with a server error.',
        details: {
          check_id: 'robots_reachable',
          category: 'crawling',
          weight: 6,
          previous_verdict: before,
          outcome: 'server_error',
          status: 503,
        },
        createdAt: NOW,
        lastSeen: NOW,
        occurrences: 1,
      },
    ]);
  });

  test('is no alert if it was never evaluated before: a first evaluation changes no verdict', () => {
    expect(night('fail', 'new')).toEqual([]);
    expect(night('fail', null)).toEqual([]);
  });

  test('is the same alert while it lasts', () => {
    const [alert] = night('fail', 'pass', [], NIGHT_BEFORE);
    expect(night('fail', 'fail', [alert!])).toEqual([{ ...alert, lastSeen: NOW, occurrences: 2 }]);
  });

  test('sends no alert while it lasts if its start sent none', () => {
    expect(night('fail', 'fail')).toEqual([]);
  });

  test('sends the same alert again if the evaluation was interrupted after storing it', () => {
    const [alert] = night('fail', 'pass', [], NOW - 5 * MINUTE_MS);
    expect(night('fail', 'pass', [alert!])).toEqual([alert]);
    const repeated = { ...alert!, createdAt: NIGHT_BEFORE, occurrences: 2 };
    expect(night('fail', 'fail', [repeated])).toEqual([repeated]);
  });

  test('counts a night once, even if the evaluation is repeated after its verdicts were stored', () => {
    const [alert] = night('fail', 'pass', [], NOW - 5 * MINUTE_MS);
    const before = [
      { checkId: 'robots_reachable', evaluatedAt: NOW - 5 * MINUTE_MS, lastKnown: 'fail' as const },
    ];
    const again = { websiteId: 'web_1', now: NOW, results: [result('fail')], before, known: [alert!] };
    expect(alertsOfChecks(again)).toEqual([alert]);
  });

  test.each([
    [10, 'critical'],
    [9, 'critical'],
    [8, 'warning'],
    [5, 'warning'],
    [4, 'info'],
  ] as const)('of weight %i is %s', (weight, severity) => {
    const before = [{ checkId: 'robots_reachable', evaluatedAt: NIGHT_BEFORE, lastKnown: 'pass' as const }];
    const alerts = alertsOfChecks({
      websiteId: 'web_1',
      now: NOW,
      results: [result('fail', weight)],
      before,
      known: [],
    });
    expect(alerts).toMatchObject([{ severity }]);
  });
});

test.each(['pass', 'warn', 'unknown', 'not_applicable'] as const)(
  'a check that is %s is no alert',
  (verdict) => {
    expect(night(verdict, 'pass')).toEqual([]);
    expect(night(verdict, 'fail')).toEqual([]);
  },
);
