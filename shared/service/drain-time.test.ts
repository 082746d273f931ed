import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../config.js';
import { endOfDrain } from './drain-time.js';

const config = loadConfig({ SHUTDOWN_TIMEOUT_MS: '1000' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work in progress has three quarters of SHUTDOWN_TIMEOUT_MS from the stop signal', () => {
  const stopping = new AbortController();
  const end = endOfDrain({ config, stopping: stopping.signal });
  vi.advanceTimersByTime(5_000);
  expect(end.aborted).toBe(false);
  stopping.abort();
  vi.advanceTimersByTime(749);
  expect(end.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(end.aborted).toBe(true);
});

test('so does work that began after the signal', () => {
  const end = endOfDrain({ config, stopping: AbortSignal.abort() });
  expect(end.aborted).toBe(false);
  vi.advanceTimersByTime(750);
  expect(end.aborted).toBe(true);
});
