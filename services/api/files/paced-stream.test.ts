import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { GRACE_MS, LEAST_RATE, pacedStream } from './paced-stream.js';

afterEach(() => {
  vi.useRealTimers();
});

function opened(chunks = 1_000, size = 1_024) {
  vi.useFakeTimers();
  const bytes = Readable.from(Array.from({ length: chunks }, () => Buffer.alloc(size)));
  const ended = { left: 0, gaveUp: 0 };
  const stream = pacedStream(bytes, {
    now: () => Date.now(),
    onEnd: () => void ended.left++,
    giveUp: () => void ended.gaveUp++,
  });
  return { bytes, ended, reader: stream.getReader() };
}

test('whoever fetches nothing more loses the connection, and the place is free', async () => {
  const { bytes, ended, reader } = opened();
  await reader.read();
  await vi.advanceTimersByTimeAsync(GRACE_MS - 10_000);
  expect(ended).toEqual({ left: 0, gaveUp: 0 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([ended, bytes.destroyed]).toEqual([{ left: 1, gaveUp: 1 }, true]);
  await expect(reader.read()).rejects.toThrow('too slowly');
});

test('whoever fetches a little again and again does, too', async () => {
  const { ended, reader } = opened();
  for (let second = 0; second < 55 && ended.gaveUp === 0; second++) {
    await reader.read();
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(ended).toEqual({ left: 1, gaveUp: 1 });
});

test('at the least rate a file comes whole, however long it takes', async () => {
  const { ended, reader } = opened(200, LEAST_RATE);
  let count = 0;
  while (!(await reader.read()).done) {
    count++;
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect([count, ended]).toEqual([200, { left: 1, gaveUp: 0 }]);
});
