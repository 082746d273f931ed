import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMemoryEventLog, type MemoryEventLog } from '../../test/harness/memory-event-log.js';
import { MINUTE_MS } from '../durations.js';
import { type EventLog, LogUnavailableError } from '../event-log/event-log.js';
import { createShutdownHooks } from '../service/shutdown-hooks.js';
import { shareUsage } from './share-usage.js';
import { decodeUsage, encodeUsage } from './usage-codec.js';
import { createUsageCounter, type SharedUsageCounter } from './usage-counter.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

/** For a loaded machine. */
const PATIENCE = { timeout: 5_000 };

const hooks = createShutdownHooks();
afterEach(hooks.run);

interface Replica {
  readonly usage: SharedUsageCounter;
  take(calls: number): void;
  used(): number;
  stop(): Promise<void>;
}

async function startReplica(id: string, log: EventLog, catchUpMs = 1_000): Promise<Replica> {
  const usage = createUsageCounter(id);
  let stop = async () => {};
  const onStop = (step: () => Promise<void>) => {
    stop = step;
    hooks.add(step);
  };
  const logger = pino({ level: 'silent' });
  await shareUsage({ now: () => NOON, logger, onStop }, { log, usage, catchUpMs, retryMs: 10 });
  return {
    usage,
    take(calls) {
      for (let call = 0; call < calls; call += 1) usage.take('org_1', 'requests', NOON);
    },
    used: () => usage.used('org_1', 'requests', NOON),
    stop: () => stop(),
  };
}

const sharedIn = (log: MemoryEventLog) => log.records('usage').map(({ value }) => decodeUsage(value));
const aWhile = (ms = 350) => new Promise((resolve) => setTimeout(resolve, ms));

/** A log that can fail: it refuses appends, and running tails crash. */
function createFailingLog() {
  const memory = createMemoryEventLog();
  const crash = new Set<(error: Error) => void>();
  let away = false;
  const log: EventLog = {
    ...memory,
    async append(topic, records) {
      if (away) throw new LogUnavailableError('away');
      return memory.append(topic, records);
    },
    async tail(options) {
      if (away) throw new LogUnavailableError('away');
      crash.add(options.onCrash);
      return memory.tail(options);
    },
  };
  return {
    memory,
    log,
    take() {
      away = true;
      for (const each of crash) each(new Error('gone'));
      crash.clear();
    },
    giveBack() {
      away = false;
    },
  };
}

describe('replicas on one log', () => {
  test('receive each other’s counts within moments', async () => {
    const log = createMemoryEventLog();
    const [one, two] = [await startReplica('r1', log), await startReplica('r2', log)];
    one.take(3);
    two.take(2);
    await vi.waitFor(() => expect([one.used(), two.used()]).toEqual([5, 5]), PATIENCE);
  });

  test('write only when something was counted', async () => {
    const log = createMemoryEventLog();
    const one = await startReplica('r1', log);
    one.take(3);
    await aWhile();
    expect(sharedIn(log)).toMatchObject([{ replicaId: 'r1', counts: [{ count: 3 }] }]);
    one.take(1);
    await aWhile();
    expect(sharedIn(log)).toHaveLength(2);
  });

  test('know earlier usage from their start, including their own former calls', async () => {
    const log = createMemoryEventLog();
    const one = await startReplica('r1', log);
    one.take(7);
    await one.stop();
    expect((await startReplica('r1 again', log)).used()).toBe(7);
  });

  test('read no records of earlier hours at their start', async () => {
    let appendedAt = NOON - 6 * MINUTE_MS;
    const log = createMemoryEventLog(1, () => appendedAt);
    const counted = (count: number) =>
      encodeUsage({
        replicaId: 'r0',
        counts: [{ subjectId: 'org_1', bucket: 'requests', hourStart: NOON, count }],
      });
    await log.append('usage', [{ key: 'r0', value: counted(9) }]);
    expect((await startReplica('r1', log)).used()).toBe(0);
    // By a clock that is some minutes behind.
    appendedAt = NOON - 4 * MINUTE_MS;
    await log.append('usage', [{ key: 'r0', value: counted(5) }]);
    expect((await startReplica('r2', log)).used()).toBe(5);
  });

  test('share what they counted last when they stop, be it while a record is on its way', async () => {
    const memory = createMemoryEventLog();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const log: EventLog = {
      ...memory,
      async append(topic, records) {
        await held;
        return memory.append(topic, records);
      },
    };
    const one = await startReplica('r1', log);
    one.take(1);
    await aWhile();
    one.take(1);
    const stopped = one.stop();
    release();
    await stopped;
    expect(sharedIn(memory).map(({ counts }) => counts[0]?.count)).toEqual([1, 2]);
    one.take(1);
    await aWhile();
    expect(sharedIn(memory)).toHaveLength(2);
  });

  test('skip an unreadable record', async () => {
    const log = createMemoryEventLog();
    await log.append('usage', [{ key: 'later', value: Buffer.of(9) }]);
    const one = await startReplica('r1', log);
    const counts = [{ subjectId: 'org_1', bucket: 'requests', hourStart: NOON, count: 4 }] as const;
    await log.append('usage', [{ key: 'r2', value: encodeUsage({ replicaId: 'r2', counts }) }]);
    await vi.waitFor(() => expect(one.used()).toBe(4), PATIENCE);
  });
});

describe('an unavailable log', () => {
  test('leaves a replica counting alone, and shares everything when it is back', async () => {
    const { log, take, giveBack } = createFailingLog();
    const [one, two] = [await startReplica('r1', log), await startReplica('r2', log)];
    one.take(1);
    await vi.waitFor(() => expect(two.used()).toBe(1), PATIENCE);
    take();
    one.take(2);
    two.take(4);
    await aWhile();
    expect([one.used(), two.used()]).toEqual([3, 5]);
    giveBack();
    await vi.waitFor(() => expect([one.used(), two.used()]).toEqual([7, 7]), PATIENCE);
  });

  test('delays the start only for a bounded time, and is caught up with later', async () => {
    const { memory, log, take, giveBack } = createFailingLog();
    const before = await startReplica('r0', memory);
    before.take(6);
    await before.stop();
    take();
    const one = await startReplica('r1', log, 50);
    expect(one.used()).toBe(0);
    giveBack();
    await vi.waitFor(() => expect(one.used()).toBe(6), PATIENCE);
  });

  test('does not keep a process from stopping', async () => {
    const hanging: EventLog = { ...createMemoryEventLog(), append: () => new Promise(() => {}) };
    const one = await startReplica('r1', hanging);
    one.take(1);
    await aWhile();
    const before = Date.now();
    await one.stop();
    expect(Date.now() - before).toBeLessThan(5_000);
  });
});
