import { describe, expect, test } from 'vitest';
import { type Alert, alertIdOf } from '../../../shared/alerts/alert.js';
import { alertRecord, decodeAlert } from '../../../shared/alerts/alert-codec.js';
import { arrivalRecord, decodeStoredRecord, forgetRecord } from '../../../shared/detection/arrival-codec.js';
import { addressDetection, websiteDetection } from './erase-detection.js';

const about = {
  websiteId: 'w1',
  type: 'scraper',
  severity: 'warning',
  subject: '192.0.2.1',
  createdAt: 1_700_000_000_000,
} as const;
const alert: Alert = {
  ...about,
  alertId: alertIdOf(about),
  message: '192.0.2.1 reads page after page.',
  details: { pages: 900 },
  lastSeen: 1_700_000_000_000,
  occurrences: 1,
};
const arrivalBytes = arrivalRecord({
  websiteId: 'w1',
  storedAt: 5,
  receivedAt: 4,
  hasPendingClaims: false,
  oldestMinute: 0,
  newestMinute: 0,
  intervals: [0],
}).value;
const alertBytes = alertRecord(alert).value;

describe('the erasure of a website', () => {
  const eraser = websiteDetection(new Set(['w1']));

  test('leaves only empty records', () => {
    expect(decodeAlert(eraser.alert(alertBytes)!)).toEqual({
      ...alert,
      subject: '',
      message: '[erased]',
      details: {},
    });
  });

  test('a second look finds nothing more', () => {
    expect(eraser.alert(eraser.alert(alertBytes)!)).toBeNull();
  });

  test('does not change other websites', () => {
    const other = websiteDetection(new Set(['w2']));
    expect(other.alert(alertBytes)).toBeNull();
  });
});

describe('the erasure of an address', () => {
  const eraser = addressDetection('192.0.2.1', null);

  test('removes an alert that names it in subject, sentence or evidence', () => {
    const cases = [{}, { subject: '' }, { subject: '', message: 'x', details: { ips: ['192.0.2.1'] } }];
    for (const given of cases) {
      const erased = decodeAlert(eraser.alert(alertRecord({ ...alert, ...given }).value)!);
      expect(erased.message).toBe('[erased]');
    }
    const other = { ...alert, subject: '192.0.2.11', message: '192.0.2.11 reads.', details: {} };
    expect(eraser.alert(alertRecord(other).value)).toBeNull();
  });

  test('finds nothing in a second pass, or for another website', () => {
    expect(eraser.alert(eraser.alert(alertBytes)!)).toBeNull();
    expect(addressDetection('192.0.2.1', 'w2').alert(alertBytes)).toBeNull();
  });
});

test('an order to detectors loses its address only when that address is erased', () => {
  const { value } = forgetRecord({ websiteId: 'w1', address: '192.0.2.1' });
  const without = addressDetection('192.0.2.1', null).forgetting(value)!;
  expect(decodeStoredRecord(without)).toEqual({ kind: 'forget', forwards: 0, websiteId: 'w1', address: '' });
  expect(addressDetection('192.0.2.1', null).forgetting(without)).toBeNull();
  for (const other of [
    addressDetection('192.0.2.1', 'w2'),
    addressDetection('192.0.2.11', null),
    websiteDetection(new Set(['w1'])),
  ])
    expect(other.forgetting(value)).toBeNull();
  expect(addressDetection('192.0.2.1', null).forgetting(arrivalBytes)).toBeNull();
});

test('an unreadable record is emptied', () => {
  const { alert: ofAlerts, forgetting } = websiteDetection(new Set());
  for (const read of [ofAlerts, forgetting]) {
    expect(read(Buffer.from([9, 9]))).toEqual(Buffer.of(0));
    expect(read(Buffer.of(0))).toBeNull();
  }
});
