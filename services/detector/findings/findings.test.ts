import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { AT_ONCE, type Finding, type Rule, TWO_OF_THREE } from '../rules/rule.js';
import { beginningOf } from './beginning.js';
import { isInhibited, newFoundHistory, noteCauses, notePersistence } from './found.js';
import { adopt, clearAlerts, mergeFinding, type OpenAlerts } from './merge.js';

const WINDOW = 15 * MINUTE_MS;
const START = Date.UTC(2026, 9, 6, 12);
const rule = (given: Partial<Rule> = {}): Rule => ({
  ...{ type: 'traffic_drop', persistence: TWO_OF_THREE, inhibitedBy: ['log_silence'], find: () => [] },
  ...given,
});
const finding = (given: Partial<Finding> = {}): Finding => ({
  ...{ subject: '', severity: 'warning', message: 'So it is.', details: { figure: 1 } },
  ...given,
});

describe('K of N windows', () => {
  /**
   * The findings of consecutive windows.
   * @returns how many persisted in each
   */
  function persisting(windows: readonly (readonly Finding[])[], of = rule()): number[] {
    const history = newFoundHistory();
    return windows.map(
      (found, index) => notePersistence(history, of, found, START + index * WINDOW, WINDOW).length,
    );
  }
  const one = [finding()];

  it('fires in the second of three, even with a pause between', () => {
    expect(persisting([one, one, one])).toEqual([0, 1, 1]);
    expect(persisting([one, [], one])).toEqual([0, 0, 1]);
  });

  it('forgets findings before the last three windows', () => {
    expect(persisting([one, [], [], one, [], []])).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('counts each subject separately', () => {
    expect(persisting([[finding({ subject: 'a' })], [finding({ subject: 'b' })]])).toEqual([0, 0]);
  });

  it('does not wait if a finding is sure, or if one window is enough', () => {
    expect(persisting([[finding({ isSure: true })]])).toEqual([1]);
    expect(persisting([one], rule({ persistence: AT_ONCE }))).toEqual([1]);
  });

  it('counts a window once if it is evaluated again', () => {
    const history = newFoundHistory();
    notePersistence(history, rule(), one, START, WINDOW);
    expect(notePersistence(history, rule(), one, START, WINDOW)).toEqual([]);
  });

  it('begins with the first of its windows', () => {
    const history = newFoundHistory();
    const since = START - 3 * WINDOW;
    notePersistence(history, rule(), one, START, WINDOW);
    expect(notePersistence(history, rule(), one, START + WINDOW, WINDOW)).toMatchObject([
      { since: START - WINDOW },
    ]);
    expect(notePersistence(history, rule(), [finding({ since })], START + 2 * WINDOW, WINDOW)).toMatchObject([
      { since },
    ]);
  });

  it('stores no subject for longer than needed', () => {
    const history = newFoundHistory();
    for (let index = 0; index < 50; index++) {
      notePersistence(history, rule(), [finding({ subject: `${index}` })], START + index * WINDOW, WINDOW);
    }
    expect(history.ends.size).toBeLessThanOrEqual(3);
  });
});

describe('a cause', () => {
  const window = { start: START, end: START + WINDOW };
  const inhibited = (given: { persisted?: number; found?: number }, cause = {}, effect = finding()) => {
    const { lastFound, lastPersisted } = newFoundHistory();
    const silence = [finding({ severity: 'critical', ...cause })];
    if (given.persisted !== undefined) noteCauses(lastPersisted, 'log_silence', silence, given.persisted);
    if (given.found !== undefined) noteCauses(lastFound, 'log_silence', silence, given.found);
    return isInhibited({ lastFound, lastPersisted }, rule(), effect, window, () => WINDOW);
  };

  it('inhibits effects while it lasts, in the same window, and half an hour after it', () => {
    expect(inhibited({ persisted: window.end })).toBe(true);
    expect(inhibited({ persisted: window.start - 30 * MINUTE_MS })).toBe(true);
    expect(inhibited({ persisted: window.start - 31 * MINUTE_MS })).toBe(false);
    expect(inhibited({})).toBe(false);
  });

  it('inhibits effects while it is found and has not persisted yet', () => {
    expect(inhibited({ found: window.end })).toBe(true);
    expect(inhibited({ found: window.start })).toBe(false);
  });

  it('must be at least as severe as its effect', () => {
    const critical = finding({ severity: 'critical' });
    expect(inhibited({ persisted: window.end }, { severity: 'warning' }, critical)).toBe(false);
    expect(inhibited({ found: window.end }, { severity: 'warning' }, critical)).toBe(false);
    expect(inhibited({ persisted: window.end }, {}, critical)).toBe(true);
  });

  it('must concern the same subject', () => {
    const google = finding({ subject: 'Google' });
    expect(inhibited({ persisted: window.end }, { subject: 'Bing' }, google)).toBe(false);
    expect(inhibited({ persisted: window.end }, { subject: 'Google' }, google)).toBe(true);
  });

  it('also inhibits findings of the wider subject that contains it', () => {
    const google = finding({ subject: 'Google' });
    const googlebot = { subject: 'Googlebot', partOf: 'Google' };
    expect(inhibited({ persisted: window.end }, googlebot, google)).toBe(true);
    expect(inhibited({ found: window.end }, googlebot, finding({ subject: 'Bing' }))).toBe(false);
  });

  it('leaves other types alone', () => {
    const history = newFoundHistory();
    noteCauses(history.lastPersisted, 'error_spike_5xx', [finding({ severity: 'critical' })], window.end);
    expect(isInhibited(history, rule(), finding(), window, () => WINDOW)).toBe(false);
  });

  it('stores only causes, and a bounded number of subjects', () => {
    const { lastFound } = newFoundHistory();
    noteCauses(lastFound, 'scraper', [finding({ subject: '192.0.2.1' })], START);
    expect(lastFound.size).toBe(0);
    for (let index = 0; index < 300; index++)
      noteCauses(lastFound, 'crawler_blocked', [finding({ subject: `${index}` })], START);
    expect(lastFound.size).toBe(200);
  });
});

describe('repeats', () => {
  const merge = (open: OpenAlerts, end: number, given: Partial<Finding> = {}) =>
    mergeFinding(open, 'w', 'traffic_drop', finding(given), end);

  it('join the alert within the clear window, and keep the evidence of the first finding', () => {
    const open: OpenAlerts = new Map();
    const first = merge(open, START)!;
    const repeat = merge(open, START + 2 * HOUR_MS, { details: { figure: 2 } })!;
    expect(repeat).toEqual({ ...first, lastSeen: START + 2 * HOUR_MS, occurrences: 2 });
    expect(first).toMatchObject({
      createdAt: START,
      lastSeen: START,
      occurrences: 1,
      details: { figure: 1 },
    });
  });

  const slow = (value: number) => ({
    message: `${value} ms`,
    details: { current_value: value, baseline_value: 50 },
  });
  const mergeSlow = (open: OpenAlerts, end: number, value: number) =>
    mergeFinding(open, 'w', 'latency_spike', finding(slow(value)), end)!;

  it('show the worst window in message and details, beside the first one', () => {
    const open: OpenAlerts = new Map();
    mergeSlow(open, START, 150);
    mergeSlow(open, START + WINDOW, 250);
    expect(mergeSlow(open, START + 2 * WINDOW, 160)).toMatchObject({
      message: '250 ms',
      occurrences: 3,
      details: {
        current_value: 250,
        at: new Date(START + WINDOW).toISOString(),
        first: { current_value: 150 },
      },
    });
  });

  it.each([160, 400])('of %d ms keep the beginning, and have the last request', (value) => {
    const open: OpenAlerts = new Map();
    const dated = (ms: number, first: number) => {
      const { message, details } = slow(ms);
      const times = beginningOf(first - WINDOW, { first, last: first + 1_000 });
      return finding({ message, details: { ...details, ...times } });
    };
    mergeFinding(open, 'w', 'latency_spike', dated(150, START), START);
    const repeat = mergeFinding(open, 'w', 'latency_spike', dated(value, START + WINDOW), START + WINDOW)!;
    expect(repeat.details).toMatchObject({
      began_after: new Date(START - WINDOW).toISOString(),
      first_request_at: new Date(START).toISOString(),
      last_request_at: new Date(START + WINDOW + 1_000).toISOString(),
    });
    expect(repeat.details.first ?? {}).not.toHaveProperty('first_request_at');
  });

  it('raise a new alert at twice the worst value, but not within the first hour', () => {
    const open: OpenAlerts = new Map();
    mergeSlow(open, START, 150);
    const second = mergeSlow(open, START + WINDOW, 400);
    expect(second.occurrences).toBe(2);
    expect(mergeSlow(open, START + HOUR_MS, 790).alertId).toBe(second.alertId);
    const again = mergeSlow(open, START + 2 * HOUR_MS, 3_000);
    expect(again).toMatchObject({ occurrences: 1, details: { worse_than: second.alertId } });
    expect(again.alertId).not.toBe(second.alertId);
    expect(mergeSlow(open, START + 2 * HOUR_MS + WINDOW, 9_000).alertId).toBe(again.alertId);
  });

  it('of a crawler’s absence update its length, and raise no second alert', () => {
    const open: OpenAlerts = new Map();
    const away = (hours: number) =>
      mergeFinding(
        open,
        'w',
        'crawler_drop',
        finding({ message: `${hours} hours`, details: { away_minutes: 60 * hours } }),
        START + hours * HOUR_MS,
      )!;
    const first = away(2);
    for (const hours of [3, 4, 5, 6]) away(hours);
    expect(away(7)).toMatchObject({
      alertId: first.alertId,
      occurrences: 6,
      message: '7 hours',
      details: { away_minutes: 420, first: { away_minutes: 120 } },
    });
  });

  it('of a crawler’s absence over a night are one alert, and its next absence is another one', () => {
    const open: OpenAlerts = new Map();
    const away = (hours: number, last_seen_at: string) => {
      clearAlerts(open, START + hours * HOUR_MS);
      const details = { away_minutes: 60 * hours, last_seen_at };
      return mergeFinding(open, 'w', 'crawler_drop', finding({ details }), START + hours * HOUR_MS)!;
    };
    const first = away(2, 'Monday');
    expect(away(30, 'Monday')).toMatchObject({ alertId: first.alertId, occurrences: 2 });
    expect(away(50, 'Tuesday')).toMatchObject({ occurrences: 1 });
  });

  it('over people only are never worse than those over all requests', () => {
    const open: OpenAlerts = new Map();
    const share = (of: string, current_share_pct: number) => ({ details: { of, current_share_pct } });
    const mergeErrors = (end: number, given: Partial<Finding>) =>
      mergeFinding(open, 'w', 'error_rate', finding(given), end)!;
    const first = mergeErrors(START, share('requests', 10));
    const ofPeople = mergeErrors(START + HOUR_MS, share('people', 60));
    expect(ofPeople).toEqual({ ...first, lastSeen: START + HOUR_MS, occurrences: 2 });
    const worse = mergeErrors(START + 2 * HOUR_MS, share('requests', 25));
    expect(worse.details).toMatchObject({ of: 'requests', worse_than: first.alertId });
    expect(mergeErrors(START + 3 * HOUR_MS, share('people', 99)).alertId).toBe(worse.alertId);
  });

  it('after the clear window are a new alert', () => {
    const open: OpenAlerts = new Map();
    const first = merge(open, START)!;
    const next = merge(open, START + 2 * HOUR_MS + 1)!;
    expect(next).toMatchObject({ occurrences: 1, createdAt: START + 2 * HOUR_MS + 1 });
    expect(next.alertId).not.toBe(first.alertId);
  });

  it('are distinguished by subject and severity', () => {
    const open: OpenAlerts = new Map();
    merge(open, START);
    expect(merge(open, START + 1, { subject: 'a' })?.occurrences).toBe(1);
    expect(merge(open, START + 1, { severity: 'critical' })?.occurrences).toBe(1);
  });

  it('that were stored before a restart are not reported again', () => {
    const open: OpenAlerts = new Map();
    const stored: Alert = { ...merge(new Map(), START)!, lastSeen: START + WINDOW, occurrences: 2 };
    adopt(open, [stored, { ...stored, lastSeen: START, occurrences: 1 }]);
    expect(merge(open, START)).toBeUndefined();
    expect(merge(open, START + WINDOW)).toBeUndefined();
    expect(merge(open, START + 2 * WINDOW)).toMatchObject({ alertId: stored.alertId, occurrences: 3 });
  });

  it('are deleted when no finding can join any more', () => {
    const open: OpenAlerts = new Map();
    merge(open, START);
    clearAlerts(open, START + 2 * HOUR_MS);
    expect(open.size).toBe(1);
    clearAlerts(open, START + 2 * HOUR_MS + 1);
    expect(open.size).toBe(0);
  });

  it('are stored for a bounded number of subjects, the most recently seen ones', () => {
    const open: OpenAlerts = new Map();
    for (let index = 0; index < 600; index++) merge(open, START + index, { subject: `${index}` });
    expect(open.size).toBe(500);
    expect(merge(open, START + 601, { subject: '599' })?.occurrences).toBe(2);
  });

  it('are also bounded when alerts are adopted, to the most recently seen ones', () => {
    const stored = Array.from(
      { length: 600 },
      (_, at) => merge(new Map(), START + at, { subject: `${at}` })!,
    );
    const open: OpenAlerts = new Map();
    adopt(open, stored.toReversed());
    expect(open.size).toBe(500);
    expect(merge(open, START + 601, { subject: '599' })?.occurrences).toBe(2);
  });
});
