import { describe, expect, test } from 'vitest';
import { alertTypeNames } from '../../alerts/alert.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type GroupedAlert, groupIncidents, incidentTitle, isActive } from './incidents.js';

const AT = Date.parse('2026-11-21T09:00:00Z');

function alert(given: Partial<GroupedAlert> = {}): GroupedAlert {
  const createdAt = given.createdAt ?? AT;
  return {
    alertId: `${new Date(createdAt).toISOString()}#000000`,
    type: 'error_rate',
    severity: 'warning',
    subject: '',
    fingerprint: 'error_rate|warning|',
    createdAt,
    lastSeen: createdAt,
    acknowledged: false,
    ...given,
  };
}

describe('alerts of one fingerprint', () => {
  test('join if each is created within 6 hours of the last sight of the one before; a moment later starts another incident', () => {
    const first = alert({ lastSeen: AT + HOUR_MS });
    const joins = alert({ createdAt: AT + 7 * HOUR_MS });
    const late = alert({ createdAt: AT + 13 * HOUR_MS + 1 });
    const [newest, older] = groupIncidents([late, first, joins]);
    expect(newest?.alerts).toEqual([late]);
    expect(older).toMatchObject({ firstSeen: AT, lastSeen: AT + 7 * HOUR_MS, alerts: [joins, first] });
  });

  test('a merged alert keeps its incident open until its last sight', () => {
    const long = alert({ lastSeen: AT + 10 * HOUR_MS });
    const within = alert({ createdAt: AT + 2 * HOUR_MS });
    const after = alert({ createdAt: AT + 15 * HOUR_MS });
    expect(groupIncidents([long, within, after])).toHaveLength(1);
  });

  test('with different fingerprints never join', () => {
    const other = alert({ fingerprint: 'error_rate|critical|', severity: 'critical' });
    expect(groupIncidents([alert(), other])).toHaveLength(2);
  });

  test('are returned in the order of their last sight, for any input order', () => {
    const given = [0, 1, 2].map((hours) =>
      alert({ fingerprint: `f${hours}`, createdAt: AT + hours * HOUR_MS }),
    );
    const names = (alerts: GroupedAlert[]) => groupIncidents(alerts).map(({ fingerprint }) => fingerprint);
    expect(names(given)).toEqual(['f2', 'f1', 'f0']);
    expect(names([...given].reverse())).toEqual(['f2', 'f1', 'f0']);
  });
});

describe('an incident', () => {
  const none = new Map<string, number>();
  const at = (type: string, ms: number, snoozed: ReadonlyMap<string, number> = none, subject = '') =>
    isActive({ type, subject, lastSeen: AT }, { now: AT + ms, snoozed });

  test('is active until 2 hours after its last sight, nightly checks 24 hours', () => {
    expect(at('error_rate', 2 * HOUR_MS)).toBe(true);
    expect(at('error_rate', 2 * HOUR_MS + 1)).toBe(false);
    expect(at('check_failed', DAY_MS)).toBe(true);
    expect(at('check_failed', DAY_MS + 1)).toBe(false);
  });

  test('of a snoozed subject is active for 24 hours, ignoring the case of its name', () => {
    const snoozed = new Map([['googlebot', AT + 2 * HOUR_MS]]);
    expect(at('crawler_errors', DAY_MS, snoozed, 'GoogleBot')).toBe(true);
    expect(at('crawler_errors', DAY_MS, snoozed, 'Bingbot')).toBe(false);
  });

  test('that cleared before its subject was snoozed stays cleared', () => {
    const snoozed = new Map([['googlebot', AT + 2 * HOUR_MS + 1]]);
    expect(at('fake_crawler', 2 * HOUR_MS, snoozed, 'Googlebot')).toBe(true);
    expect(at('fake_crawler', 3 * HOUR_MS, snoozed, 'Googlebot')).toBe(false);
  });

  test('of a type that only a later release knows clears after the default time', () => {
    expect(at('of_tomorrow', 2 * HOUR_MS)).toBe(true);
    expect(at('constructor', 2 * HOUR_MS + 1)).toBe(false);
  });

  test.each([...alertTypeNames, 'of_tomorrow', 'constructor'])(
    '%s has a title with and without a subject',
    (type) => {
      const own = incidentTitle({ type, subject: 'Googlebot' });
      expect(own).toMatch(/\w/);
      expect(incidentTitle({ type, subject: '' })).toMatch(/^[^ ].*[^ :]$/);
      expect(own).not.toMatch(/undefined|\[object/);
    },
  );
});
