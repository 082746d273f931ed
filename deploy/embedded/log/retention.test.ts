import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { topics } from '../../../shared/event-log/topics.js';
import { readAll, startReader } from '../../../test/harness/event-log/reader.js';
import { type LmdbEventLog, type LmdbEventLogOptions, openLmdbEventLog } from './lmdb-event-log.js';

const RAW = 'requests.raw';

describe('retention of the event log on LMDB', () => {
  let directory: string;
  let log: LmdbEventLog;
  let clock: number;
  const options = (change: Partial<LmdbEventLogOptions> = {}): LmdbEventLogOptions => ({
    directory,
    partitions: 1,
    maxBytes: 1024 ** 3,
    now: () => clock,
    ...change,
  });
  const reopen = async (change: Partial<LmdbEventLogOptions> = {}) => {
    await log.close();
    log = await openLmdbEventLog(options(change));
  };

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'event-log-'));
    clock = 1_700_000_000_000;
    log = await openLmdbEventLog(options());
  });
  afterEach(async () => {
    await log.close();
    rmSync(directory, { recursive: true });
  });

  describe('by age', () => {
    it('drops records older than the topic’s limit and keeps the others, also after a restart', async () => {
      await appendBlocks(150);
      clock += 1_000;
      await appendBlocks(10);
      clock += topics[RAW].retentionMs - 1_000;
      await log.enforceRetention();
      expect((await log.offsets(RAW)).get(0)).toEqual({ oldest: 150, next: 160 });
      await reopen();
      expect((await log.offsets(RAW)).get(0)).toEqual({ oldest: 150, next: 160 });
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.offsets()).toEqual(Array.from({ length: 10 }, (_, i) => 150 + i)));
    });

    it('starts a tail at the oldest record if its first record was dropped', async () => {
      await appendBlocks(150);
      clock += 1_000;
      await appendBlocks(3);
      clock += topics[RAW].retentionMs - 1_000;
      await log.enforceRetention();
      const tailed = await readAll(log, RAW, { from: 7 });
      expect(tailed.map(({ offset }) => offset)).toEqual([150, 151, 152]);
    });

    it('continues the offsets after all records were dropped and the log restarted', async () => {
      await appendBlocks(5);
      clock += topics[RAW].retentionMs;
      await log.enforceRetention();
      await reopen();
      expect((await log.offsets(RAW)).get(0)).toEqual({ oldest: 5, next: 5 });
      expect((await log.append(RAW, [block(1)]))[0]!.offset).toBe(5);
    });

    it('never drops records that the slowest group has not committed', async () => {
      await appendBlocks(10);
      const slow = startReader(log, { topic: RAW, group: 'slow' });
      await vi.waitFor(() => expect(slow.records).toHaveLength(10));
      await (await slow.consumer).commit(0, { offset: 4, metadata: '' });
      await slow.stop();
      await consumeAll('fast');
      clock += topics[RAW].retentionMs * 2;
      await log.enforceRetention();
      expect((await log.offsets(RAW)).get(0)!.oldest).toBe(4);
      const never = startReader(log, { topic: 'requests.dead', group: 'registered only' });
      await never.stop();
      await log.append('requests.dead', [block(1)]);
      clock += topics['requests.dead'].retentionMs * 2;
      await reopen();
      await log.enforceRetention();
      expect((await log.offsets('requests.dead')).get(0)!.oldest).toBe(0);
    });

    it('never drops control.events', async () => {
      await log.append('control.events', [block(10)]);
      clock += 100 * 365 * 86_400_000;
      await log.enforceRetention();
      expect((await log.offsets('control.events')).get(0)).toEqual({ oldest: 0, next: 1 });
    });

    it('starts a group at the oldest record if its committed record was dropped', async () => {
      await appendBlocks(10);
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.records).toHaveLength(10));
      const consumer = await reader.consumer;
      await consumer.commit(0, { offset: 8, metadata: '' });
      clock += topics[RAW].retentionMs;
      await log.enforceRetention();
      await consumer.commit(0, { offset: 2, metadata: 'back' });
      await reader.stop();
      const again = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(again.offsets()).toEqual([8, 9]));
    });
  });

  describe('by size', () => {
    const limit = 4 * 1024 ** 2;

    it('drops the oldest consumed records first, down to the limit', async () => {
      await reopen({ maxBytes: limit });
      await appendBlocks(35);
      clock += 1;
      await consumeAll('g');
      await log.append('requests.dead', [block(100_000)]);
      clock += 1;
      await appendBlocks(5);
      await consumeAll('g');
      await appendBlocks(5, 'another');
      await log.enforceRetention();
      expect(log.size()).toBeLessThanOrEqual(limit);
      const { oldest, next } = (await log.offsets(RAW)).get(0)!;
      expect(next).toBe(45);
      expect(oldest).toBeGreaterThan(0);
      expect((await log.offsets('requests.dead')).get(0)).toEqual({ oldest: 0, next: 1 });
    });

    it('refuses requests.raw while the log is full of unread records, but accepts control and dead records', async () => {
      const warn = vi.fn();
      const logger = { warn } as unknown as NonNullable<LmdbEventLogOptions['logger']>;
      await reopen({ maxBytes: limit, logger });
      await startReader(log, { topic: RAW, group: 'g' }).stop();
      const refused = (async () => {
        for (let i = 0; i < 100; i++) await appendBlocks(1);
      })();
      await expect(refused).rejects.toBeInstanceOf(LogUnavailableError);
      expect(log.size()).toBeGreaterThanOrEqual(limit);
      expect(log.size()).toBeLessThan(limit * 1.1);
      await expect(appendBlocks(1)).rejects.toBeInstanceOf(LogUnavailableError);
      expect(warn).toHaveBeenCalledTimes(1);
      expect(warn.mock.calls[0]![0]).toMatchObject({ holding: [{ topic: RAW, groups: ['g'] }] });
      await log.append('control.events', [block(10)]);
      await log.append('requests.dead', [block(10)]);
      expect((await log.offsets(RAW)).get(0)!.oldest).toBe(0);
      await consumeAll('g');
      await appendBlocks(1);
    });

    it('reuses the space of dropped records: the file stops growing', async () => {
      await reopen({ maxBytes: limit });
      for (let round = 0; round < 12; round++) await appendBlocks(30);
      expect(log.size()).toBeLessThan(limit * 1.3);
      // 36 MB were appended.
      expect(statSync(join(directory, 'data.mdb')).size).toBeLessThan(limit * 2.5);
    });
  });

  it('runs retention on its schedule and stops with close', async () => {
    const unscheduled = vi.fn();
    let tick = () => {};
    await reopen({
      schedule(work) {
        tick = work;
        return unscheduled;
      },
    });
    await appendBlocks(3);
    clock += topics[RAW].retentionMs;
    tick();
    await vi.waitFor(async () => expect((await log.offsets(RAW)).get(0)!.oldest).toBe(3));
    await log.close();
    expect(unscheduled).toHaveBeenCalledTimes(1);
  });

  async function consumeAll(group: string): Promise<void> {
    const reader = startReader(log, { topic: RAW, group });
    const { next } = (await log.offsets(RAW)).get(0)!;
    await vi.waitFor(() => expect(reader.owned.size).toBe(1));
    await (await reader.consumer).commit(0, { offset: next, metadata: '' });
    await reader.stop();
  }

  /** Appends `count` blocks of 100 kB of incompressible data, one per append. */
  async function appendBlocks(count: number, key = 'k'): Promise<void> {
    for (let i = 0; i < count; i++) await log.append(RAW, [{ ...block(100_000), key }]);
  }
});

function block(bytes: number) {
  return { key: 'k', value: noise.subarray(0, bytes) };
}

/** Equal in every run. */
const noise = Buffer.alloc(100_000);
for (let i = 0, seed = 1; i < noise.length; i++) {
  seed = Math.imul(seed, 1_664_525) + 1_013_904_223;
  noise[i] = seed >>> 24;
}
