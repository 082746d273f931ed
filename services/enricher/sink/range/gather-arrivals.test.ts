import { expect, test } from 'vitest';
import { OLDEST_ARRIVAL_MS } from '../../../../shared/detection/arrival.js';
import { createArrivalGatherer } from './gather-arrivals.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.parse('2026-11-21T10:02:30Z');
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);

/** A block with these times; all rows are stored, or only the given ones. */
const block = (
  websiteId: string,
  receivedAt: number,
  times: readonly number[],
  rows?: readonly number[],
  hasPendingClaims = false,
) => ({
  websiteId,
  receivedAt,
  hasPendingClaims,
  timestamp: Float64Array.from(times),
  rows: Uint32Array.from(rows ?? times.keys()),
});

test('an arrival has the intervals with requests, the oldest and newest minute, and the earliest receipt', () => {
  const gatherer = createArrivalGatherer(NOW);
  gatherer.add(block('a', NOW - 5, [at('09:58:59.999'), at('10:01:10'), at('09:57:00'), at('10:00:00')]));
  gatherer.add(block('b', NOW - 7, [at('08:00:00')]));
  gatherer.add(block('a', NOW - 9, [at('09:41:20')]));
  expect(gatherer.arrivals()).toEqual([
    {
      websiteId: 'a',
      receivedAt: NOW - 9,
      hasPendingClaims: false,
      oldestMinute: at('09:41:00'),
      newestMinute: at('10:01:00'),
      intervals: [at('09:40:00'), at('09:55:00'), at('10:00:00')],
    },
    {
      websiteId: 'b',
      receivedAt: NOW - 7,
      hasPendingClaims: false,
      oldestMinute: at('08:00:00'),
      newestMinute: at('08:00:00'),
      intervals: [at('08:00:00')],
    },
  ]);
});

test('an arrival has pending claims if one of its blocks has', () => {
  const gatherer = createArrivalGatherer(NOW);
  for (const isPending of [false, true, false])
    gatherer.add(block('a', NOW, [at('09:00:00')], undefined, isPending));
  gatherer.add(block('b', NOW, [at('09:00:00')]));
  expect(gatherer.arrivals().map(({ hasPendingClaims }) => hasPendingClaims)).toEqual([true, false]);
});

test('rows that are not stored are not reported', () => {
  const gatherer = createArrivalGatherer(NOW);
  gatherer.add(block('a', NOW, [at('09:00:00'), at('09:30:00'), at('10:00:00')], [1]));
  gatherer.add(block('b', NOW, [at('09:00:00')], []));
  expect(gatherer.arrivals()).toMatchObject([{ websiteId: 'a', intervals: [at('09:30:00')] }]);
});

test('requests over four weeks old, or more than an hour ahead, are not reported', () => {
  const oldest = NOW - OLDEST_ARRIVAL_MS;
  const gatherer = createArrivalGatherer(NOW);
  // 10:02:30 is in an interval that began before the bound.
  gatherer.add(block('a', NOW - 3, [oldest - 1, oldest, NOW + HOUR_MS + 1]));
  expect(gatherer.arrivals()).toEqual([]);
  gatherer.add(block('a', NOW - 1, [oldest, oldest + 3 * MINUTE_MS, NOW + HOUR_MS]));
  expect(gatherer.arrivals()).toEqual([
    {
      websiteId: 'a',
      receivedAt: NOW - 1,
      hasPendingClaims: false,
      oldestMinute: Date.parse('2026-10-24T10:05:00Z'),
      newestMinute: at('11:02:00'),
      intervals: [Date.parse('2026-10-24T10:05:00Z'), at('11:00:00')],
    },
  ]);
});

test('changes have the hours of all stored rows, in runs, also of those that are not reported', () => {
  const gatherer = createArrivalGatherer(NOW);
  const hour = (time: number) => Math.floor(time / HOUR_MS);
  const [old, ahead] = [NOW - 2 * OLDEST_ARRIVAL_MS, NOW + 5 * HOUR_MS];
  gatherer.add(block('a', NOW, [at('09:59:59.999'), at('08:00:00'), ahead, old]));
  gatherer.add(block('b', NOW, [old, at('03:00:00')], [0]));
  gatherer.add(block('c', NOW, [old], []));
  expect(gatherer.changes()).toEqual([
    { websiteId: 'a', firstHour: hour(old), lastHour: hour(old) },
    { websiteId: 'a', firstHour: hour(at('08:00:00')), lastHour: hour(at('09:00:00')) },
    { websiteId: 'a', firstHour: hour(ahead), lastHour: hour(ahead) },
    { websiteId: 'b', firstHour: hour(old), lastHour: hour(old) },
  ]);
});

test('rows in very many separate hours count as a change of all hours', () => {
  const gatherer = createArrivalGatherer(NOW);
  const times = Array.from({ length: 101 }, (_, each) => NOW - each * 2 * HOUR_MS);
  gatherer.add(block('a', NOW, times.slice(1)));
  expect(gatherer.changes()).toHaveLength(100);
  gatherer.add(block('a', NOW, times));
  expect(gatherer.changes()).toEqual([{ websiteId: 'a' }]);
});
