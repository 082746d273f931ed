import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../store/client.js';
import { dateWindow } from './windows.js';

const HOUR = 3_600_000;
const since = Date.parse('2026-11-10T00:00:00Z');

test.each([
  ['lies before the data', -3, -1, true],
  ['ends where the data begin', -3, 0, true],
  ['reaches into the data', -3, 1, false],
  ['lies in the data', 1, 2, false],
])('a window that %s', async (_, from, to, isNoted) => {
  const reader = { read: () => Promise.resolve([{ since }]) } as unknown as ClickHouseReader;
  const window = { start: since + from * HOUR, end: since + to * HOUR };
  const { fields } = await dateWindow(reader, { websiteId: 'w', window });
  expect(fields.data_since).toBe('2026-11-10T00:00:00.000Z');
  expect(fields.window_note !== undefined).toBe(isNoted);
});
