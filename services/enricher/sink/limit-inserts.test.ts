import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimit } from './limit-inserts.js';

const never = new AbortController().signal;

function setUp(most: number) {
  const limit = createLimit(most);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, signal = never) =>
    limit.run(() => {
      running.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    }, signal);
  const end = async (name: string) => {
    running.splice(running.indexOf(name), 1);
    ends.get(name)?.();
    await tick();
  };
  return { limit, start, end, running };
}

test('so many work at once, the longest waiting next', async () => {
  const { start, end, running } = setUp(2);
  for (const name of ['a', 'b', 'c', 'd']) void start(name);
  await tick();
  expect(running).toEqual(['a', 'b']);
  await end('b');
  expect(running).toEqual(['a', 'c']);
  await end('a');
  expect(running).toEqual(['c', 'd']);
});

test('whose signal fires waits no longer, and never runs', async () => {
  const { start, end, running } = setUp(1);
  const lost = new AbortController();
  void start('a');
  const waiting = start('b', lost.signal);
  void start('c');
  lost.abort(new Error('lost'));
  await expect(waiting).rejects.toThrow('lost');
  await expect(start('d', lost.signal)).rejects.toThrow('lost');
  await end('a');
  expect(running).toEqual(['c']);
});

test('work that fails lets the next run', async () => {
  const { limit, start, running } = setUp(1);
  await expect(limit.run(() => Promise.reject(new Error('failed')), never)).rejects.toThrow('failed');
  void start('next');
  await tick();
  expect(running).toEqual(['next']);
});
