import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { alertWith, importedAlert, NOON, toMessageAlert } from '../../../test/harness/jobs/alert.js';
import { digestOf, dueDigest } from './digest.js';

const DAY = Date.UTC(2026, 10, 22);
const SEVEN = { digest_send_hour_utc: 7 };
const day = { from: NOON - DAY_MS, to: NOON };
const messageAlert = (given: Partial<Alert>) => toMessageAlert(alertWith(given));
const settings = { min_digest_severity: 1, email_disabled_types: [] };

describe('a digest is due', () => {
  test('from five minutes after its hour, about the 24 hours before that hour', () => {
    expect(dueDigest(SEVEN, DAY + 7 * HOUR_MS + 5 * MINUTE_MS - 1)).toBeNull();
    expect(dueDigest(SEVEN, DAY + 7 * HOUR_MS + 5 * MINUTE_MS)).toEqual({
      day: '2026-11-22',
      from: DAY - 17 * HOUR_MS,
      to: DAY + 7 * HOUR_MS,
    });
  });

  test('for six hours, also across midnight, and is skipped after that', () => {
    expect(dueDigest(SEVEN, DAY + 13 * HOUR_MS)?.day).toBe('2026-11-22');
    expect(dueDigest(SEVEN, DAY + 13 * HOUR_MS + 1)).toBeNull();
    expect(dueDigest({ digest_send_hour_utc: 23 }, DAY + DAY_MS + HOUR_MS)?.day).toBe('2026-11-22');
  });
});

describe('a digest lists', () => {
  test('incidents, the worst first, and alerts of one incident together', () => {
    const slow = messageAlert({ type: 'latency_spike', createdAt: NOON - 20 * HOUR_MS });
    const failing = messageAlert({ createdAt: NOON - 10 * HOUR_MS });
    const again = messageAlert({ createdAt: NOON - 5 * HOUR_MS, message: 'again' });
    const worse = messageAlert({ createdAt: NOON - 9 * HOUR_MS, severity: 'critical' });
    const content = digestOf([slow, failing, worse, again], day, settings);
    expect(content?.incidents).toMatchObject([
      { type: 'error_spike_5xx', severity: 'critical', alerts: 1 },
      { type: 'error_spike_5xx', severity: 'warning', message: 'again', alerts: 2 },
      { type: 'latency_spike', severity: 'warning', alerts: 1 },
    ]);
  });

  test('no incident below the set severity, and none of a type that is not mailed; without incidents there is no digest', () => {
    const alerts = [messageAlert({ createdAt: NOON - HOUR_MS })];
    expect(digestOf(alerts, day, { ...settings, min_digest_severity: 3 })).toBeNull();
    expect(digestOf(alerts, day, { ...settings, email_disabled_types: ['error_spike_5xx'] })).toBeNull();
    expect(digestOf([], day, settings)).toBeNull();
    expect(digestOf(alerts, day, settings)).not.toBeNull();
  });

  test('an incident as imported if all its alerts come from imported logs', () => {
    const imported = toMessageAlert(importedAlert(NOON - HOUR_MS));
    const alsoLive = [
      toMessageAlert(importedAlert(NOON, { type: 'scraper', createdAt: NOON - 3 * HOUR_MS })),
      messageAlert({ type: 'scraper', createdAt: NOON - HOUR_MS }),
    ];
    const content = digestOf([imported, ...alsoLive], day, settings);
    expect(content?.incidents.map(({ type, isImported }) => [type, isImported])).toEqual([
      ['scraper', false],
      ['error_spike_5xx', true],
    ]);
  });

  test('fifty incidents, and counts the others', () => {
    const alerts = Array.from({ length: 70 }, (_, index) =>
      messageAlert({ subject: `10.0.0.${index}`, createdAt: NOON - HOUR_MS }),
    );
    const content = digestOf(alerts, day, settings)!;
    expect([content.incidents.length, content.more]).toEqual([50, 20]);
  });
});
