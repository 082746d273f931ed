import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LogRecord } from '../../shared/event-log/event-log.js';
import { createMemoryEventLog, type MemoryEventLog } from './memory-event-log.js';

let log: MemoryEventLog;
beforeEach(() => {
  log = createMemoryEventLog(2);
});
afterEach(() => log.close());

const record = (key: string, text: string) => ({ key, value: Buffer.from(text) });
const texts = (records: readonly LogRecord[]) => records.map(({ value }) => value.toString());
const onCrash = (error: Error) => {
  throw error;
};

it('delivers every record to a group once in offset order, and resumes at its commit', async () => {
  await log.append('requests.raw', [record('a', '1'), record('a', '2'), record('a', '3')]);
  const { partition } = (await log.append('requests.raw', [record('a', '4')]))[0]!;
  const first: string[] = [];
  const one = await log.consume({
    topic: 'requests.raw',
    group: 'g',
    onCrash,
    onRecords: async (_, records) => void first.push(...texts(records)),
  });
  await vi.waitFor(() => expect(first).toEqual(['1', '2', '3', '4']));
  await one.commit(partition, { offset: 2, metadata: 'planned' });
  await one.stop();
  await expect(one.commit(partition, { offset: 3, metadata: '' })).rejects.toThrow();

  const assigned: unknown[] = [];
  const second: string[] = [];
  const two = await log.consume({
    topic: 'requests.raw',
    group: 'g',
    onCrash,
    onAssigned: async (number, committed) => void (number === partition && assigned.push(committed)),
    onRecords: async (_, records) => void second.push(...texts(records)),
  });
  await log.append('requests.raw', [record('a', '5')]);
  await vi.waitFor(() => expect(second).toEqual(['3', '4', '5']));
  expect(assigned).toEqual([{ offset: 2, metadata: 'planned' }]);
  await two.stop();
});

it('waits for a handler before it delivers more of the partition', async () => {
  const calls: string[][] = [];
  const release: (() => void)[] = [];
  const consumer = await log.consume({
    topic: 'control.events',
    group: 'g',
    maxBytes: 1,
    onCrash,
    onRecords: (_, records) => {
      calls.push(texts(records));
      return new Promise((resolve) => release.push(resolve));
    },
  });
  await log.append('control.events', [record('a', '1'), record('a', '2')]);
  await vi.waitFor(() => expect(calls).toEqual([['1']]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toHaveLength(1);
  release.shift()!();
  await vi.waitFor(() => expect(calls).toEqual([['1'], ['2']]));
  release.shift()!();
  await consumer.stop();
});

it('tails a topic from its start; caughtUp comes after the existing records', async () => {
  await log.append('requests.raw', [record('a', 'old'), record('b', 'older')]);
  const seen: string[] = [];
  const tail = await log.tail({
    topic: 'requests.raw',
    onCrash,
    onRecords: (records) => void seen.push(...texts(records)),
  });
  await tail.caughtUp;
  expect(seen.sort()).toEqual(['old', 'older']);
  await log.append('requests.raw', [record('a', 'new')]);
  await vi.waitFor(() => expect(seen).toContain('new'));
  await tail.stop();
});

it('tails from the requested offset, also beyond the end', async () => {
  await log.append('control.events', [record('a', '0'), record('a', '1')]);
  const seen: number[][] = [[], []];
  const tails = await Promise.all(
    [1, 3].map((from, index) =>
      log.tail({
        topic: 'control.events',
        from,
        onCrash,
        onRecords: (records) => void seen[index]!.push(...records.map(({ offset }) => offset)),
      }),
    ),
  );
  await Promise.all(tails.map(({ caughtUp }) => caughtUp));
  expect(seen).toEqual([[1], []]);
  await log.append('control.events', [record('a', '2'), record('a', '3')]);
  await vi.waitFor(() => expect(seen).toEqual([[1, 2, 3], [3]]));
  await Promise.all(tails.map((tail) => tail.stop()));
});

it('notifies the loss of partitions if the consumer crashes', async () => {
  const lost: AbortSignal[] = [];
  const crashes: string[] = [];
  const consumer = await log.consume({
    topic: 'requests.raw',
    group: 'g',
    onCrash: ({ message }) => void crashes.push(message),
    onAssigned: async (_partition, _committed, signal) => void lost.push(signal),
    onRecords: async () => {
      throw new Error('no more');
    },
  });
  expect(lost.map(({ aborted }) => aborted)).toEqual([false, false]);
  const { partition } = (await log.append('requests.raw', [record('a', '1')]))[0]!;
  await vi.waitFor(() => expect(crashes).toEqual(['no more']));
  expect(lost.map(({ aborted }) => aborted)).toEqual([true, true]);
  await expect(consumer.commit(partition, { offset: 1, metadata: '' })).rejects.toThrow();
});
