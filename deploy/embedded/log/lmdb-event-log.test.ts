import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LogDivergedError,
  LogUnavailableError,
  StaleAssignmentError,
} from '../../../shared/event-log/event-log.js';
import { describeEventLog } from '../../../test/harness/event-log/describe-event-log.js';
import { readAll, startReader } from '../../../test/harness/event-log/reader.js';
import { type LmdbEventLog, type LmdbEventLogOptions, openLmdbEventLog } from './lmdb-event-log.js';

const RAW = 'requests.raw';
const roomy = { partitions: 3, maxBytes: 1024 ** 3, now: Date.now };

describeEventLog('LMDB', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-log-'));
  let log = await openLmdbEventLog({ ...roomy, directory });
  return {
    log,
    async reopen() {
      await log.close();
      log = await openLmdbEventLog({ ...roomy, directory });
      return log;
    },
    async destroy() {
      await log.close();
      rmSync(directory, { recursive: true });
    },
  };
});

describe('the event log on LMDB', () => {
  let directory: string;
  let log: LmdbEventLog;
  let clock: number;
  let children: ChildProcess[];
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
    children = [];
    log = await openLmdbEventLog(options());
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await log.close();
    rmSync(directory, { recursive: true });
  });

  /** Runs test/harness/event-log/lmdb-writer.ts on the directory; yields what it prints. */
  function startWriter() {
    const script = fileURLToPath(new URL('../../../test/harness/event-log/lmdb-writer.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, directory], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const lines: string[] = [];
    const errors: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
    const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
    return { child, lines, errors, exited };
  }

  describe('ownership of the directory', () => {
    it('refuses to open a log twice in one process, with a message of one line', async () => {
      const refused = openLmdbEventLog(options());
      await expect(refused).rejects.toThrow(/^event log: .* is in use by this process$/);
      expect(await log.append(RAW, [block(10)])).toHaveLength(1);
    });

    it('refuses a second process while the first is running, and takes over after kill -9', async () => {
      await log.close();
      const first = startWriter();
      await vi.waitFor(() => expect(first.lines.length).toBeGreaterThan(0), 20_000);
      await expect(openLmdbEventLog(options())).rejects.toThrow(
        `event log: ${directory} is in use by process ${first.child.pid}`,
      );
      const second = startWriter();
      expect(await second.exited).toBe(1);
      expect(second.errors).toEqual([`event log: ${directory} is in use by process ${first.child.pid}`]);
      first.child.kill('SIGKILL');
      await first.exited;
      log = await openLmdbEventLog(options());
    });

    it.runIf(existsSync('/proc/self/stat'))(
      'distinguishes an ended owner from a running process with the same id',
      async () => {
        const started = (pid: number) =>
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[19]!;
        const claim = async (pid: number, since: string) => {
          const root = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 4 });
          await root.openDB('state', { encoding: 'json' }).put(['owner'], { pid, started: since });
          await root.close();
        };
        await log.close();
        await claim(process.ppid, started(process.ppid));
        await expect(openLmdbEventLog(options())).rejects.toThrow(`in use by process ${process.ppid}`);
        await claim(process.ppid, 'another time');
        log = await openLmdbEventLog(options());
      },
    );
  });

  describe('durability', () => {
    it('has every acknowledged append after kill -9, at several moments', async () => {
      const answered = new Map<string, string>();
      for (const delay of [0, 150, 400]) {
        await log.close();
        const writer = startWriter();
        await vi.waitFor(() => expect(writer.lines.length).toBeGreaterThan(0), 20_000);
        await new Promise((resolve) => setTimeout(resolve, delay));
        writer.child.kill('SIGKILL');
        await writer.exited;
        // The kill may truncate the last line.
        for (const line of writer.lines.filter((one) => one.endsWith('.'))) {
          const [position, value] = line.split(' ') as [string, string];
          expect(answered.has(position)).toBe(false);
          answered.set(position, value);
        }
        log = await openLmdbEventLog(options());
        const kept = new Map(
          (await readAll(log, RAW)).map(({ partition, offset, value }) => [
            `${partition}/${offset}`,
            `${value.subarray(0, 36)}.`,
          ]),
        );
        for (const [position, value] of answered) expect(kept.get(position)).toBe(value);
      }
      expect(answered.size).toBeGreaterThan(10);
    });

    it('rejects appends with LogUnavailableError while the disk is full, and continues afterwards', async () => {
      await log.close();
      const script = fileURLToPath(
        new URL('../../../test/harness/event-log/lmdb-full-disk.ts', import.meta.url),
      );
      // A limit on file sizes simulates a full disk: the kernel refuses the write.
      const child = spawn(
        'sh',
        ['-c', 'ulimit -f 20000; exec "$0" --import tsx "$1" "$2"', process.execPath, script, directory],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      children.push(child);
      let printed = '';
      child.stdout.on('data', (data) => {
        printed += data;
      });
      await new Promise((resolve) => child.on('close', resolve));
      const { taken, error, after } = JSON.parse(printed) as {
        taken: number;
        error: string;
        after: number[];
      };
      expect(error).toBe('LogUnavailableError');
      expect(taken).toBeGreaterThan(0);
      expect(after).toEqual([taken, taken + 1, taken + 2]);
      log = await openLmdbEventLog(options());
      expect((await log.offsets(RAW)).get(0)).toEqual({ oldest: taken, next: taken + 3 });
    });
  });

  describe('partitions', () => {
    it('are fixed at creation: another number is ignored with a warning', async () => {
      const warn = vi.fn();
      const logger = { warn } as unknown as NonNullable<LmdbEventLogOptions['logger']>;
      await reopen({ partitions: 5, logger });
      expect((await log.offsets(RAW)).size).toBe(1);
      const told = warn.mock.calls.map(([fields]) => fields);
      expect(told).toContainEqual({ topic: RAW, kept: 1, asked: 5 });
      expect(told.map(({ topic }) => topic)).toEqual([...new Set(told.map(({ topic }) => topic))]);
    });
  });

  describe('a commit beyond the end', () => {
    it('ends the consumer with instructions, and reads nothing', async () => {
      await log.append(RAW, [{ key: 'k', value: Buffer.from('one') }]);
      await log.close();
      const root = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 4 });
      const commit = { offset: 5, metadata: '' };
      await root.openDB('state', { encoding: 'json' }).put(['commit', RAW, 'g', 0], commit);
      await root.close();
      log = await openLmdbEventLog(options());
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.crashes).toHaveLength(1));
      expect(reader.crashes[0]).toBeInstanceOf(LogDivergedError);
      expect(reader.crashes[0]!.message).toMatch(/read up to offset 5, but the log ends at 1/);
      expect(reader.records).toEqual([]);
    });
  });

  describe('a call of the consumer', () => {
    it('has one record if the record exceeds the share of its partition', async () => {
      const huge = Buffer.alloc(9 * 1024 ** 2, 7);
      for (const value of [huge, huge, Buffer.from('small')]) await log.append(RAW, [{ key: 'k', value }]);
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.records).toHaveLength(3), 10_000);
      expect(reader.batches.map((batch) => batch.length)).toEqual([1, 1, 1]);
    });

    it('is limited by the bytes of all partitions together', async () => {
      await log.close();
      rmSync(directory, { recursive: true });
      log = await openLmdbEventLog(options({ partitions: 32 }));
      const value = Buffer.alloc(512 * 1024, 7);
      for (let i = 0; i < 8; i++) await log.append(RAW, [{ key: 'k', value }]);
      const reader = startReader(log, { topic: RAW, group: 'g' });
      await vi.waitFor(() => expect(reader.records).toHaveLength(8), 10_000);
      // 32 MiB divided by 32 partitions.
      expect(Math.max(...reader.batches.map((batch) => batch.length))).toBe(2);
    });
  });

  describe('close', () => {
    it('waits for running appends; later calls are refused', async () => {
      const appends = Array.from({ length: 50 }, () => log.append(RAW, [block(20_000)]));
      await Promise.resolve();
      const closing = log.close();
      const results = await Promise.allSettled(appends);
      await closing;
      await expect(log.append(RAW, [block(1)])).rejects.toBeInstanceOf(LogUnavailableError);
      log = await openLmdbEventLog(options());
      const taken = results.filter(({ status }) => status === 'fulfilled').length;
      expect((await log.offsets(RAW)).get(0)!.next).toBe(taken);
      expect(taken).toBe(50);
    });

    it('waits for running calls of consumers', async () => {
      await appendBlocks(1);
      const reader = startReader(log, { topic: RAW, group: 'g' });
      reader.hold();
      await vi.waitFor(() => expect(reader.running).toBe(1));
      let closed = false;
      const closing = log.close().then(() => {
        closed = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(closed).toBe(false);
      reader.release();
      await closing;
      expect(reader.running).toBe(0);
    });
  });

  it('wakes consumers and tails by the append itself, without a timer', async () => {
    const told = new Map<string, () => void>();
    await log.tail({ topic: RAW, onRecords: () => told.get('tail')!(), onCrash() {} });
    await log.consume({ topic: RAW, group: 'g', onRecords: async () => told.get('group')!(), onCrash() {} });
    // Timers are stopped, so a consumer that polls would never see the append.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    try {
      for (let i = 0; i < 30; i++) {
        const both = ['tail', 'group'].map((who) => new Promise<void>((resolve) => told.set(who, resolve)));
        await log.append(RAW, [block(10)]);
        await Promise.all(both);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives a partition to the next owner only after the running call, whose commit the next owner gets', async () => {
    await appendBlocks(1);
    const one = startReader(log, { topic: RAW, group: 'g' });
    one.hold();
    await vi.waitFor(() => expect(one.running).toBe(1));
    // A partition stays with its owner, so the second consumer gets it when the first leaves.
    const two = startReader(log, { topic: RAW, group: 'g' });
    const consumer = await one.consumer;
    const stopping = consumer.stop();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(two.owned.size).toBe(0);
    await consumer.commit(0, { offset: 1, metadata: 'done' });
    one.release();
    await stopping;
    expect(one.owned.size).toBe(0);
    await vi.waitFor(() => expect(two.assigned.get(0)).toEqual({ offset: 1, metadata: 'done' }));
    await expect(consumer.commit(0, { offset: 0, metadata: 'late' })).rejects.toBeInstanceOf(
      StaleAssignmentError,
    );
  });

  it('lets a stopping consumer commit in onRevoked', async () => {
    await appendBlocks(1);
    const called: string[] = [];
    const consumer = await log.consume({
      topic: RAW,
      group: 'g',
      onRecords: async () => void called.push('records'),
      async onRevoked(partition) {
        called.push('revoked');
        await consumer.commit(partition, { offset: 1, metadata: 'last' });
      },
      onCrash: (error) => void called.push(error.message),
    });
    await vi.waitFor(() => expect(called).toEqual(['records']));
    await consumer.stop();
    expect(called).toEqual(['records', 'revoked']);
    expect((await log.committed(RAW, 'g')).get(0)).toEqual({ offset: 1, metadata: 'last' });
  });

  it('refuses a commit beyond the end of the log and one with too much metadata', async () => {
    const reader = startReader(log, { topic: RAW, group: 'g' });
    await vi.waitFor(() => expect(reader.owned.size).toBe(1));
    const consumer = await reader.consumer;
    await expect(consumer.commit(0, { offset: 1, metadata: '' })).rejects.toBeInstanceOf(RangeError);
    const long = consumer.commit(0, { offset: 0, metadata: 'x'.repeat(4097) });
    await expect(long).rejects.toBeInstanceOf(RangeError);
    expect((await log.committed(RAW, 'g')).size).toBe(0);
  });

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
