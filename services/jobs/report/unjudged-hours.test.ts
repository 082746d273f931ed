import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { readUnjudgedHours } from './unjudged-hours.js';

const ASKED_AT = Date.UTC(2026, 10, 22, 0, 20);
const LAST = Date.UTC(2026, 10, 21, 23);

/** A store with points of health of these hours. */
function storeOf(judged: readonly number[]): ClickHouseReader {
  return { read: async ({ row }) => judged.map((time) => row.parse({ ...noPoint, time })) };
}
const noPoint = {
  ...{ intervals: 12, unjudged: 0, value: 0, mean: 0, variance: 0 },
  ...{ timed: 0, timed_value: 0, timed_mean: 0, timed_variance: 0 },
};

const hour = (time: number, requests: number) => ({ time: new Date(time).toISOString(), requests });

test.each([
  ['an import that is not evaluated', [], 2],
  ['an import that is evaluated in part', [LAST - HOUR_MS], 1],
  ['logs that are evaluated, beside an hour without logs', [LAST - HOUR_MS, LAST], 0],
])('%s', async (_, judged, expected) => {
  const hourly = [hour(LAST - 2 * HOUR_MS, 0), hour(LAST - HOUR_MS, 5), hour(LAST, 7)];
  const count = readUnjudgedHours(storeOf(judged), { websiteId: 'w', askedAt: ASKED_AT }, hourly as never);
  expect(await count).toBe(expected);
});

test('hours whose points are no longer stored are not counted', async () => {
  const hourly = [hour(ASKED_AT - 40 * DAY_MS, 9)];
  expect(await readUnjudgedHours(storeOf([]), { websiteId: 'w', askedAt: ASKED_AT }, hourly as never)).toBe(
    0,
  );
});
