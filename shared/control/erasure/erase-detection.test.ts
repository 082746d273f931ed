import { describe, expect, test } from 'vitest';
import { botOf, clientOf, decodeSignal, minuteOf } from '../../../test/harness/detector/signal.js';
import { type Alert, alertIdOf } from '../../alerts/alert.js';
import { alertRecord, decodeAlert } from '../../alerts/alert-codec.js';
import {
  decodeSignalRecord,
  forgetRecord,
  passedOnRecord,
  signalRecord,
} from '../../detection/signal-codec.js';
import { addressDetection, websiteDetection } from './erase-detection.js';

const signal = {
  token: 't',
  websiteId: 'w1',
  storedAt: 5,
  minutes: [
    minuteOf({
      requests: 9,
      byBot: [
        botOf({ name: 'One', sampleIp: '192.0.2.1', sampleUserAgent: 'One/1', samplePath: '/a' }),
        botOf({ name: 'Two', sampleIp: '192.0.2.2' }),
      ],
      byClient: [clientOf({ ip: '192.0.2.1' }), clientOf({ ip: '192.0.2.11' })],
    }),
  ],
};
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
const signalBytes = signalRecord(signal).value;
const alertBytes = alertRecord(alert).value;

describe('of a website', () => {
  const eraser = websiteDetection(new Set(['w1']));

  test('nothing is left but that there was something', () => {
    expect(decodeSignal(eraser.signal(signalBytes)!)).toEqual({ ...signal, minutes: [] });
    expect(decodeAlert(eraser.alert(alertBytes)!)).toEqual({
      ...alert,
      subject: '',
      message: '[erased]',
      details: {},
    });
  });

  test('a second look finds nothing more', () => {
    expect(eraser.signal(eraser.signal(signalBytes)!)).toBeNull();
    expect(eraser.alert(eraser.alert(alertBytes)!)).toBeNull();
  });

  test('others stay', () => {
    const other = websiteDetection(new Set(['w2']));
    expect(other.signal(signalBytes)).toBeNull();
    expect(other.alert(alertBytes)).toBeNull();
  });
});

describe('of an address', () => {
  const eraser = addressDetection('192.0.2.1', null);

  test('its entry and the samples of it go, and counts and others stay', () => {
    const [minute] = decodeSignal(eraser.signal(signalBytes)!).minutes;
    expect(minute!.requests).toBe(9);
    expect(minute!.byClient.map(({ ip }) => ip)).toEqual(['192.0.2.11']);
    expect(minute!.byBot[0]).toMatchObject({
      sampleIp: '',
      sampleUserAgent: '',
      samplePath: '',
      requests: 1,
    });
    expect(minute!.byBot[1]).toMatchObject({ sampleIp: '192.0.2.2' });
  });

  test('an alert that names it goes, by subject, sentence or evidence', () => {
    const cases = [{}, { subject: '' }, { subject: '', message: 'x', details: { ips: ['192.0.2.1'] } }];
    for (const given of cases) {
      const erased = decodeAlert(eraser.alert(alertRecord({ ...alert, ...given }).value)!);
      expect(erased.message).toBe('[erased]');
    }
    const other = { ...alert, subject: '192.0.2.11', message: '192.0.2.11 reads.', details: {} };
    expect(eraser.alert(alertRecord(other).value)).toBeNull();
  });

  test('a second look finds nothing more, nor does one at another website', () => {
    expect(eraser.signal(eraser.signal(signalBytes)!)).toBeNull();
    expect(addressDetection('192.0.2.1', 'w2').signal(signalBytes)).toBeNull();
    expect(addressDetection('192.0.2.1', 'w2').alert(alertBytes)).toBeNull();
  });
});

test('what told detectors to forget an address loses it when that address goes, and at no other time', () => {
  const { value } = forgetRecord({ websiteId: 'w1', address: '192.0.2.1' });
  const without = addressDetection('192.0.2.1', null).forgetting(value)!;
  expect(decodeSignalRecord(without)).toEqual({ kind: 'forget', websiteId: 'w1', address: '' });
  expect(addressDetection('192.0.2.1', null).forgetting(without)).toBeNull();
  for (const other of [
    addressDetection('192.0.2.1', 'w2'),
    addressDetection('192.0.2.11', null),
    websiteDetection(new Set(['w1'])),
  ])
    expect([other.forgetting(value), other.signal(value)]).toEqual([null, null]);
  expect(addressDetection('192.0.2.1', null).forgetting(signalBytes)).toBeNull();
});

test('what can not be read goes', () => {
  const { signal: read } = websiteDetection(new Set());
  expect(read(Buffer.from([9, 9]))).toEqual(Buffer.of(0));
  expect(read(Buffer.of(0))).toBeNull();
});

test('what was passed on from a former partition still says where it stood', () => {
  const passedOn = (record: { key: string; value: Buffer }) =>
    passedOnRecord({ ...record, partition: 3, offset: 17, appendedAt: 1 }).value;
  const origin = { partition: 3, offset: 17 };
  const erased = websiteDetection(new Set(['w1'])).signal(passedOn({ key: 'w1', value: signalBytes }))!;
  expect(decodeSignalRecord(erased)).toMatchObject({ origin, signal: { minutes: [] } });
  const told = passedOn(forgetRecord({ websiteId: 'w1', address: '192.0.2.1' }));
  const without = addressDetection('192.0.2.1', null).forgetting(told)!;
  expect(decodeSignalRecord(without)).toMatchObject({ origin, kind: 'forget', address: '' });
});
