import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../durations.js';
import { warnLimited } from './limit-warnings.js';

test('a warning that repeats for ten minutes is a few lines a minute, and the others are counted', () => {
  const logger = { warn: vi.fn() };
  let now = 0;
  for (; now < 10 * MINUTE_MS; now += 20)
    for (const text of ['Connection error', 'the group can not be reached'])
      warnLimited(logger, { broker: 'b' }, text, () => now);
  const lines = logger.warn.mock.calls;
  expect(lines.filter(([, text]) => text === 'Connection error')).toHaveLength(30);
  expect(lines.length).toBeLessThan(80);
  expect(lines).toContainEqual([{ broker: 'b', left_out: 2_997 }, 'Connection error']);
});

test('each logger has its own limit', () => {
  for (const logger of [{ warn: vi.fn() }, { warn: vi.fn() }]) {
    for (let line = 0; line < 5; line += 1) warnLimited(logger, {}, 'away', () => 0);
    expect(logger.warn).toHaveBeenCalledTimes(3);
  }
});
