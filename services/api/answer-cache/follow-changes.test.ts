import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeChanges, encodeChanges } from '../../../shared/changes/changes-codec.js';
import type { DataChange } from '../../../shared/changes/data-change.js';
import { createUnsharedChanges } from '../../../shared/changes/unshared-changes.js';
import { watchWrites } from '../../../shared/changes/watch-writes.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { type EventLog, LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { shareWrites } from '../../../shared/service/share-writes.js';
import { createShutdownHooks, type ShutdownHooks } from '../../../shared/service/shutdown-hooks.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { createFollowedVersions, followChanges } from './follow-changes.js';

const NOW = Date.UTC(2026, 10, 28, 12);
const HOUR = NOW / HOUR_MS;
const logger = pino({ level: 'silent' });
const running: ShutdownHooks[] = [];
afterEach(async () => {
  for (const hooks of running.splice(0)) await hooks.run();
});

/** A log that can be away: it refuses appends and tails, and ends running tails. */
function setUp({ cluster }: { cluster?: string } = {}) {
  let at = NOW;
  const now = () => at;
  const memory: MemoryEventLog = createMemoryEventLog(2, now);
  const crashes = new Set<(error: Error) => void>();
  let isAway = false;
  const refuse = () => {
    if (isAway) throw new LogUnavailableError('away');
  };
  const log: EventLog = {
    ...memory,
    async append(topic, records) {
      refuse();
      return memory.append(topic, records);
    },
    async tail(options) {
      refuse();
      crashes.add(options.onCrash);
      return memory.tail(options);
    },
  };
  const openHooks = () => {
    const hooks = createShutdownHooks();
    running.push(hooks);
    return { logger, onStop: hooks.add, stop: hooks.run };
  };
  return {
    log,
    memory,
    advance(ms: number) {
      at += ms;
    },
    leave() {
      isAway = true;
      for (const crash of crashes) crash(new Error('gone'));
      crashes.clear();
    },
    comeBack() {
      isAway = false;
    },
    async openReplica(id: string) {
      const service = openHooks();
      const unshared = createUnsharedChanges(id, now);
      const followed = createFollowedVersions(id, { now, config: { CLICKHOUSE_CLUSTER: cluster } });
      followChanges(service, { log, followed, retryMs: 10 });
      await shareWrites(service, { log, unshared, retryMs: 10 });
      return { ...followed.versions, stop: service.stop };
    },
    async openWriter(id: string) {
      const service = openHooks();
      const unshared = createUnsharedChanges(id, now);
      await shareWrites(service, { log, unshared, retryMs: 10 });
      return { write: (...changes: DataChange[]) => unshared.add(changes), stop: service.stop };
    },
    /** A record of a process that then ends without a last one. */
    append: (writerId: string, ...changes: DataChange[]) =>
      memory.append('changes', [
        { key: writerId, value: encodeChanges({ writerId, sentAt: at, isLeaving: false, changes }) },
      ]),
  };
}

type Replica = Awaited<ReturnType<ReturnType<typeof setUp>['openReplica']>>;
const read = (replica: Replica) => ({
  answers: replica.versionOf('w'),
  hour: replica.hourVersionOf('w', HOUR),
  other: replica.hourVersionOf('w', HOUR - 1),
});
const unknown = { answers: null, hour: null, other: null };
const becomesKnown = async (replica: Replica) => {
  await vi.waitFor(() => expect(replica.versionOf('w')).not.toBeNull());
  return read(replica);
};
const becomesUnknown = (replica: Replica) => vi.waitFor(() => expect(read(replica)).toEqual(unknown));

describe('replicas on one log', () => {
  test('get new versions from each writer, for the hours that it names', async () => {
    const { openReplica, openWriter } = setUp();
    const writer = await openWriter('enricher');
    const replicas = [await openReplica('one'), await openReplica('two')];
    const before = await Promise.all(replicas.map(becomesKnown));
    writer.write({ websiteId: 'w', firstHour: HOUR, lastHour: HOUR }, { websiteId: 'v' });
    for (const [index, replica] of replicas.entries()) {
      await vi.waitFor(() => expect(replica.versionOf('w')).not.toBe(before[index]!.answers));
      expect(replica.hourVersionOf('w', HOUR)).toBeGreaterThan(before[index]!.hour!);
      expect(replica.hourVersionOf('w', HOUR - 1)).toBe(before[index]!.other);
    }
  });

  test('get new versions of all hours from an erasure, and of no hour from a late verdict', async () => {
    const { openReplica, openWriter } = setUp();
    const [writer, replica] = [await openWriter('admin'), await openReplica('one')];
    const store = { async command() {}, async insert() {} } as unknown as ClickHouse;
    const watched = watchWrites(store, (changes) => writer.write(...changes));
    const before = await becomesKnown(replica);
    await watched.command('ALTER TABLE claim_verdicts DELETE WHERE true', { website_id: 'w' });
    await vi.waitFor(() => expect(replica.versionOf('w')).not.toBe(before.answers));
    expect(read(replica)).toEqual({ ...before, answers: replica.versionOf('w') });
    await watched.command('ALTER TABLE requests DELETE WHERE true', { website_id: 'w' });
    await vi.waitFor(() => expect(replica.hourVersionOf('w', HOUR)).toBeGreaterThan(before.hour!));
    expect(replica.hourVersionOf('w', HOUR - 1)).toBeGreaterThan(before.other!);
  });

  test('know nothing of a cluster, whose replicas may lag', async () => {
    const { openReplica } = setUp({ cluster: 'shop' });
    const replica = await openReplica('one');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(read(replica)).toEqual(unknown);
  });
});

describe('a replica knows no version', () => {
  test('while the log is away; afterwards everything counts as changed', async () => {
    const { openReplica, leave, comeBack, advance } = setUp();
    const replica = await openReplica('one');
    const before = await becomesKnown(replica);
    leave();
    await becomesUnknown(replica);
    advance(MINUTE_MS);
    comeBack();
    const after = await becomesKnown(replica);
    expect(after.other).toBeGreaterThan(before.other!);
    expect(after.answers).not.toBe(before.answers);
  });

  test('while its tail returns nothing, although it does not end', async () => {
    const { log, memory, advance, openReplica } = setUp();
    const deaf = { ...log, append: async () => [] };
    const followed = createFollowedVersions('one', { now: () => NOW, config: {} });
    const hooks = createShutdownHooks();
    running.push(hooks);
    followChanges({ logger, onStop: hooks.add }, { log: deaf, followed, retryMs: 10 });
    const other = await openReplica('two');
    await becomesKnown(other);
    // It reads records of others, but not its own.
    expect(followed.versions.versionOf('w')).toBeNull();
    advance(5 * SECOND_MS);
    expect(read(other)).toEqual(unknown);
    await becomesKnown(other);
    expect(memory.records('changes').length).toBeGreaterThan(1);
  });

  test('while a writer is silent; when it counts as gone, everything counts as changed', async () => {
    const { openReplica, append, advance } = setUp();
    await append('killed');
    const replica = await openReplica('one');
    const before = await becomesKnown(replica);
    for (let second = 0; second < 5; second++) {
      advance(SECOND_MS);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(read(replica)).toEqual(unknown);
    advance(10 * MINUTE_MS);
    const after = await becomesKnown(replica);
    expect(after.other).toBeGreaterThan(before.other!);
  });

  test('while a writer is silent after the clock was set back', async () => {
    const { openReplica, append, advance } = setUp();
    await append('killed');
    const replica = await openReplica('one');
    await becomesKnown(replica);
    advance(-HOUR_MS);
    await becomesKnown(replica);
    for (let second = 0; second < 6; second++) {
      advance(SECOND_MS);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(read(replica)).toEqual(unknown);
  });

  test('while there are more writers than it follows; afterwards everything counts as changed', async () => {
    const { openReplica, append, advance } = setUp();
    const replica = await openReplica('one');
    const before = await becomesKnown(replica);
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => append(`writer ${index}`)));
    await becomesUnknown(replica);
    advance(10 * MINUTE_MS);
    const after = await becomesKnown(replica);
    expect(after.other).toBeGreaterThan(before.other!);
  });

  test('before its clock that was set back reaches its last record', async () => {
    const { openReplica, advance } = setUp();
    const replica = await openReplica('one');
    await becomesKnown(replica);
    advance(-HOUR_MS);
    expect(read(replica)).toEqual(unknown);
    await becomesKnown(replica);
  });
});

test('a writer that leaves shares its last changes, and is not missed', async () => {
  const { openReplica, openWriter, advance } = setUp();
  const [writer, replica] = [await openWriter('jobs'), await openReplica('one')];
  const before = await becomesKnown(replica);
  writer.write({ websiteId: 'w', keepsRows: true });
  await writer.stop();
  await vi.waitFor(() => expect(replica.versionOf('w')).not.toBe(before.answers));
  for (let second = 0; second < 6; second++) {
    advance(SECOND_MS);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(replica.versionOf('w')).not.toBeNull();
});

test('a replica that starts does not wait for writers that ended long ago', async () => {
  const { openReplica, append, advance } = setUp();
  await append('killed long ago');
  advance(10 * MINUTE_MS);
  const replica = await openReplica('one');
  await becomesKnown(replica);
  for (let second = 0; second < 6; second++) {
    advance(SECOND_MS);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(replica.versionOf('w')).not.toBeNull();
});

test('changes that the log refused are shared when it is back', async () => {
  const { openReplica, openWriter, leave, comeBack, memory } = setUp();
  const [writer, replica] = [await openWriter('enricher'), await openReplica('one')];
  await becomesKnown(replica);
  leave();
  writer.write({ websiteId: 'w', firstHour: 1, lastHour: 2 });
  await new Promise((resolve) => setTimeout(resolve, 250));
  writer.write({ websiteId: 'w', firstHour: 4, lastHour: 4 });
  comeBack();
  await vi.waitFor(() => {
    const shared = memory.records('changes').flatMap(({ value }) => decodeChanges(value).changes);
    expect(shared.map(({ firstHour }) => firstHour)).toEqual([1, 4]);
  });
});

test('a record that can not be read counts as a change of everything', async () => {
  const { openReplica, memory } = setUp();
  const replica = await openReplica('one');
  const before = await becomesKnown(replica);
  await memory.append('changes', [{ key: 'later release', value: Buffer.of(99) }]);
  await vi.waitFor(() => expect(replica.versionOf('w')).not.toBe(before.answers));
  expect(replica.hourVersionOf('w', 5)).toBeGreaterThan(before.other!);
});

test.each([
  ['a long id of a writer', 'x'.repeat(1_000_000), [{ websiteId: 'w' }]],
  ['a long id of a website', 'one', [{ websiteId: 'x'.repeat(1_000_000) }]],
  ['very many changes', 'one', Array.from({ length: 10_000 }, () => ({ websiteId: 'w' }))],
])('a record with %s can not be read', (_, writerId, changes) => {
  const value = encodeChanges({ writerId, sentAt: NOW, isLeaving: false, changes });
  expect(() => decodeChanges(value)).toThrow(/^changes: a record has/);
});

test('a record of a live range takes some 110 bytes, and a beat 50', () => {
  const id = '0193a6c0-1111-7222-8333-444455556666';
  const record = { writerId: id, sentAt: NOW, isLeaving: false, changes: [] };
  expect(encodeChanges(record).length).toBeLessThan(60);
  const changes = [{ websiteId: id, firstHour: HOUR, lastHour: HOUR, keepsRows: false }];
  const value = encodeChanges({ ...record, changes });
  expect(value.length).toBeLessThan(120);
  expect(decodeChanges(value)).toEqual({ ...record, changes });
});

test('very many waiting changes become one of everything', () => {
  const unshared = createUnsharedChanges('one', () => NOW);
  for (let hour = 0; hour < 3_000; hour++)
    unshared.add([{ websiteId: 'w', firstHour: hour % 1_000, lastHour: hour % 1_000 }]);
  expect(unshared.next(false)!.changes).toHaveLength(1_000);
  for (let hour = 0; hour < 3_000; hour++)
    unshared.add([{ websiteId: 'w', firstHour: hour, lastHour: hour }]);
  const all = unshared.next(false)!;
  expect(all.changes).toContainEqual({ websiteId: null });
  expect(all.changes.length).toBeLessThanOrEqual(2_000);
  unshared.markShared(all);
  expect(unshared.next(false)).toBeNull();
  expect(unshared.next(true)).toMatchObject({ isLeaving: true, changes: [] });
});
