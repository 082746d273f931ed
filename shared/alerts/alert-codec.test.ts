import { describe, expect, it } from 'vitest';
import { type Alert, alertIdOf } from './alert.js';
import { alertRecord, decodeAlert } from './alert-codec.js';

const finding = {
  websiteId: '7f2c0000-0000-4000-8000-000000000001',
  type: 'fake_crawler',
  severity: 'warning',
  subject: 'Googlebot',
  createdAt: 1_700_000_000_000,
} as const;

const alert: Alert = {
  ...finding,
  alertId: alertIdOf(finding),
  message: 'Somebody calls itself Googlebot and is not.',
  details: { requests: 12, addresses: ['192.0.2.1'], nothing: null, __proto: 'x' },
  lastSeen: 1_700_000_300_000,
  occurrences: 2,
};

describe('the record of an alert', () => {
  it('round-trips under the website’s key', () => {
    const { key, value } = alertRecord(alert);
    expect(key).toBe(alert.websiteId);
    expect(decodeAlert(value)).toEqual(alert);
  });

  it('an unknown type or severity is refused by its name', () => {
    const of = (given: object) => alertRecord({ ...alert, ...given } as Alert).value;
    expect(() => decodeAlert(of({ type: 'toString' }))).toThrow('alerts: unknown type "toString"');
    expect(() => decodeAlert(of({ severity: 'fatal' }))).toThrow('alerts: unknown severity "fatal"');
  });
});
