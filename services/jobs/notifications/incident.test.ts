import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { alertWith, NOON } from './alert.fixture.js';
import { newsOf } from './incident.js';

const first = alertWith();
const later = (hours: number, given: Parameters<typeof alertWith>[0] = {}) =>
  alertWith({ createdAt: NOON + hours * HOUR_MS, ...given });

describe('an alert is told', () => {
  test('where it is the first of its incident, also when it is read again later and has been merged with repeats', () => {
    expect(newsOf(first, [])).toMatchObject({ id: first.alertId, alerts: 1, severity: 'warning' });
    const merged = { ...first, occurrences: 7, lastSeen: NOON + HOUR_MS };
    expect(newsOf(merged, [first])).toMatchObject({ occurrences: 7, lastSeen: NOON + HOUR_MS });
    expect(newsOf(first, [first, later(3), later(8)])).toMatchObject({ id: first.alertId, alerts: 1 });
  });

  test('not where it follows another of its type and subject within six hours of the last time that was seen', () => {
    expect(newsOf(later(6), [first])).toBeNull();
    expect(newsOf(later(6.1), [first])).toMatchObject({ id: later(6.1).alertId });
    const lasting = { ...first, lastSeen: NOON + 5 * HOUR_MS };
    expect(newsOf(later(11), [lasting])).toBeNull();
    // A chain of them, none six hours from the next.
    expect(newsOf(later(15), [first, later(5), later(10)])).toBeNull();
  });

  test('once more where it is worse, and not again when it is less bad or as bad as it was', () => {
    const worse = later(1, { severity: 'critical' });
    expect(newsOf(worse, [first])).toMatchObject({
      id: first.alertId,
      startedAt: NOON,
      severity: 'critical',
      alerts: 2,
    });
    expect(newsOf(later(2), [first, worse])).toBeNull();
    expect(newsOf(later(4, { severity: 'critical' }), [first, worse])).toBeNull();
  });

  test('as the worse of two that were found at once, in whatever order they are read', () => {
    const worse = alertWith({ severity: 'critical' });
    for (const kin of [
      [first, worse],
      [worse, first],
    ]) {
      expect(newsOf(first, kin)).toBeNull();
      expect(newsOf(worse, kin)).not.toBeNull();
    }
  });

  test('whatever came after it: what is decided does not depend on when it is decided', () => {
    const after = later(0, { severity: 'critical', createdAt: NOON + 5 * MINUTE_MS });
    expect(newsOf(first, [first, after])).toEqual(newsOf(first, [first]));
  });
});
