import { expect, test } from 'vitest';
import { type Arrival, OLDEST_ARRIVAL_MS } from './arrival.js';
import { arrivalRecord, decodeStoredRecord, forgetRecord, forwardedRecord } from './arrival-codec.js';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-21T10:00:00Z');

const live: Arrival = {
  websiteId: '0193a6c0-1111-7222-8333-444455556666',
  storedAt: NOW + 1_234,
  receivedAt: NOW - 567,
  hasPendingClaims: true,
  oldestMinute: NOW - 11 * MINUTE_MS,
  newestMinute: NOW,
  intervals: [NOW - 15 * MINUTE_MS, NOW - 5 * MINUTE_MS, NOW],
};

test('an arrival round-trips under the key of its website, and is small', () => {
  const { key, value } = arrivalRecord(live);
  expect(key).toBe(live.websiteId);
  expect(decodeStoredRecord(value)).toEqual({
    ...{ kind: 'arrival', forwards: 0, websiteId: live.websiteId, arrival: live },
  });
  expect(value.length).toBeLessThan(80);
});

test('an arrival of four weeks is 10 KB', () => {
  const count = OLDEST_ARRIVAL_MS / (5 * MINUTE_MS);
  const intervals = Array.from({ length: count }, (_, at) => NOW - (count - at) * 5 * MINUTE_MS);
  const arrival = { ...live, oldestMinute: intervals[0]!, newestMinute: NOW - MINUTE_MS, intervals };
  const { value } = arrivalRecord(arrival);
  expect(value.length).toBeLessThan(10_000);
  expect(decodeStoredRecord(value)).toMatchObject({ arrival });
});

test('an order to forget an address round-trips', () => {
  const { key, value } = forgetRecord({ websiteId: 'w', address: '2001:db8::1' });
  expect(key).toBe('w');
  expect(decodeStoredRecord(value)).toEqual({
    ...{ kind: 'forget', forwards: 0, websiteId: 'w', address: '2001:db8::1' },
  });
});

test('a forwarded record counts its forwards, and has the key of its website', () => {
  const twice = forwardedRecord(forwardedRecord(arrivalRecord(live).value).value);
  expect(twice.key).toBe(live.websiteId);
  expect(decodeStoredRecord(twice.value)).toMatchObject({ forwards: 2, arrival: live });
  const forget = forwardedRecord(forgetRecord({ websiteId: 'w', address: '192.0.2.1' }).value);
  expect(forget.key).toBe('w');
  expect(decodeStoredRecord(forget.value)).toMatchObject({ forwards: 1, address: '192.0.2.1' });
});

test('other bytes are refused', () => {
  expect(() => decodeStoredRecord(Buffer.of(9, 1))).toThrow('requests.stored: unknown schema id 9');
  expect(() => decodeStoredRecord(Buffer.of(1, 0, 0, 0))).toThrow('neither an arrival nor an address');
  expect(() => decodeStoredRecord(arrivalRecord(live).value.subarray(0, 20))).toThrow();
});
