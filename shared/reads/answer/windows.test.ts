import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../store/client.js';
import { compareWindows, dateWindow } from './windows.js';

const HOUR = 3_600_000;
const since = Date.parse('2026-11-10T00:00:00Z');

test.each([
  ['lies before the data', -3, -1, true],
  ['ends where the data begin', -3, 0, true],
  ['reaches into the data', -3, 1, false],
  ['lies in the data', 1, 2, false],
])('a window that %s', async (_, from, to, isNoted) => {
  const reader = {
    read: () => Promise.resolve([{ since, complete_since: since }]),
  } as unknown as ClickHouseReader;
  const window = { start: since + from * HOUR, end: since + to * HOUR };
  const { fields } = await dateWindow(reader, { websiteId: 'w', window });
  expect(fields.data_since).toBe('2026-11-10T00:00:00.000Z');
  expect(fields.window_note !== undefined).toBe(isNoted);
});

test.each([
  ['after the logs are complete', 2 * HOUR, true],
  ['before the logs are complete, though older requests are stored', 50 * HOUR, false],
])('a previous window %s', async (_, gapUntil, isCompared) => {
  const complete_since = since + gapUntil;
  const reader = { read: () => Promise.resolve([{ since, complete_since }]) } as unknown as ClickHouseReader;
  const window = { start: since + 60 * HOUR, end: since + 80 * HOUR };
  const { windows, change } = await compareWindows(reader, { websiteId: 'w', window, filters: {} });
  expect(change.pct(2, 1)).toBe(isCompared ? 100 : null);
  expect(windows.comparison_note === undefined).toBe(isCompared);
  expect(windows.complete_since).toBe(new Date(complete_since).toISOString());
});
