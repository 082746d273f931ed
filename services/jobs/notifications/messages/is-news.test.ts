import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { alertWith, importedAlert, NOON, toMessageAlert } from '../../../../test/harness/jobs/alert.js';
import { isNews } from './is-news.js';

const first = toMessageAlert(alertWith());
const later = (hours: number) => toMessageAlert(alertWith({ createdAt: NOON + hours * HOUR_MS }));
const imported = (hours: number) =>
  toMessageAlert(importedAlert(NOON + 20 * HOUR_MS, { createdAt: NOON + hours * HOUR_MS }));

describe('an alert is news', () => {
  test('if it is the first of its incident, also when it is read again after repeats were merged into it', () => {
    expect(isNews(first, [])).toBe(true);
    expect(isNews({ ...first, lastSeen: NOON + HOUR_MS }, [first])).toBe(true);
    expect(isNews(first, [first, later(3), later(8)])).toBe(true);
  });

  test('unless it follows another of its fingerprint within six hours of the last time that was seen', () => {
    expect(isNews(later(6), [first])).toBe(false);
    expect(isNews(later(6.1), [first])).toBe(true);
    const lasting = { ...first, lastSeen: NOON + 5 * HOUR_MS };
    expect(isNews(later(11), [lasting])).toBe(false);
    // A chain of alerts, each less than six hours after the previous one.
    expect(isNews(later(15), [first, later(5), later(10)])).toBe(false);
  });

  test('regardless of later alerts, so the decision does not depend on its time', () => {
    const after = toMessageAlert(alertWith({ createdAt: NOON + 5 * MINUTE_MS }));
    expect(isNews(first, [first, after])).toBe(true);
  });

  test('if it is live and only imported alerts precede it; an imported alert follows any other', () => {
    expect(isNews(later(1), [imported(0)])).toBe(true);
    expect(isNews(imported(1), [imported(0)])).toBe(false);
    expect(isNews(imported(1), [first])).toBe(false);
  });
});
