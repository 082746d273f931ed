import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { plainRequest } from '../../../services/enricher/sink/plain-request.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { createShutdownHooks } from '../../../shared/service/shutdown-hooks.js';
import type { ClickHouse, InsertOptions } from '../../../shared/store/client.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { joinGroup } from '../../embedded/group-member.js';
import { type DurabilityOptions, openDurability } from './open-durability.js';

const onCrash = (error: Error) => {
  throw error;
};
const insertion: InsertOptions = {
  table: 'site_events',
  columns: [],
  rows: Buffer.alloc(0),
  deduplicationToken: 'token',
};

/** A store without rollups. @param broken its repair fails */
function createStore({ broken = false } = {}) {
  const tokens: string[] = [];
  const commands: string[] = [];
  const clickhouse = {
    async insert(options: InsertOptions) {
      tokens.push(options.deduplicationToken);
    },
    async command(sql: string) {
      if (broken) throw new Error('cut off');
      commands.push(sql);
    },
    read: async ({ name }: { name: string }) => (name === 'rebuild.running' ? [{ running: 0 }] : []),
  } as unknown as ClickHouse;
  return { clickhouse, tokens, commands };
}

async function start(log: MemoryEventLog, options: Partial<DurabilityOptions>, store = createStore()) {
  const hooks = createShutdownHooks();
  const service = {
    config: { STORE_SYNC_INTERVAL_MS: 60_000 },
    logger: pino({ level: 'silent' }),
    onStop: hooks.add,
    onCrash,
    newId: () => 'id',
  };
  const sync = async () => {};
  const durability = await openDurability(service, {
    log,
    group: 'writer',
    bootId: 'boot-1',
    sync,
    ...options,
  });
  const through = durability.through(store.clickhouse);
  await through.insert(insertion);
  return { ...store, repaired: durability.repair(through), stop: hooks.run };
}

async function commitAs(log: MemoryEventLog, offset: number, metadata = '') {
  const writer = await joinGroup(log, { group: 'writer', onCrash });
  await writer.commit(0, { offset, metadata });
  await writer.stop();
}

async function filledLog() {
  const log = createMemoryEventLog(1);
  const value = encodeRawBlock({
    website_id: 'web',
    source: 'loglane',
    upload_id: 'u',
    received_at: Date.parse('2026-11-21T12:00:00Z'),
    requests: [plainRequest({ timestamp: Date.parse('2026-11-21T11:00:00Z') })],
  });
  await log.append(
    'requests.raw',
    Array.from({ length: 9 }, () => ({ key: 'k', value })),
  );
  return log;
}

const committed = async (log: MemoryEventLog) => (await log.committed('requests.raw', 'writer')).get(0);

/** A log of a run that crashed after its checkpoint. */
async function crashedLog() {
  const log = await filledLog();
  await commitAs(log, 3);
  const first = await start(log, {});
  await first.repaired;
  await first.stop();
  await commitAs(log, 7, 'plan:8');
  return log;
}

describe('after a machine crash', () => {
  test('the store is written again from the checkpoint on, with other tokens', async () => {
    const log = await crashedLog();
    const { repaired, tokens, commands, stop } = await start(log, { bootId: 'boot-2' });
    await repaired;
    expect(commands[0]).toContain('ALTER TABLE requests DELETE');
    expect(await committed(log)).toEqual({ offset: 3, metadata: '' });
    expect(tokens).toEqual(['token/1']);
    await stop();
  });

  test('the next start repeats an interrupted repair, with its own tokens', async () => {
    const log = await crashedLog();
    const cutOff = await start(log, { bootId: 'boot-2' }, createStore({ broken: true }));
    await expect(cutOff.repaired).rejects.toThrow('cut off');
    await cutOff.stop();
    expect(await committed(log)).toEqual({ offset: 7, metadata: 'plan:8' });
    const { repaired, tokens, commands, stop } = await start(log, { bootId: 'boot-2' });
    await repaired;
    expect(commands[0]).toContain('ALTER TABLE requests DELETE');
    expect(await committed(log)).toEqual({ offset: 3, metadata: '' });
    expect([...cutOff.tokens, ...tokens]).toEqual(['token/1', 'token/2']);
    await stop();
  });

  test('a repair without a successful sync does not count', async () => {
    const log = await crashedLog();
    let syncs = 0;
    const sync = async () => {
      syncs += 1;
      if (syncs > 1) throw new Error('input/output error');
    };
    const { repaired } = await start(log, { bootId: 'boot-2', sync });
    await expect(repaired).rejects.toThrow('input/output');
    expect(await committed(log)).toEqual({ offset: 7, metadata: 'plan:8' });
  });

  test('all later tokens contain the number of the repair', async () => {
    const log = await crashedLog();
    const second = await start(log, { bootId: 'boot-2' });
    await second.repaired;
    await second.stop();
    const third = await start(log, { bootId: 'boot-2' });
    await third.repaired;
    expect(third.tokens).toEqual(['token/1']);
    await third.stop();
  });
});

describe('with a ClickHouse server', () => {
  test('checkpoints of an earlier embedded store do not block retention, and nothing is deleted', async () => {
    const log = await crashedLog();
    const { repaired, commands, stop } = await start(log, { bootId: 'boot-2', sync: null });
    await repaired;
    await stop();
    expect(commands).toEqual([]);
    expect((await log.committed('requests.raw', 'writer-durable')).get(0)?.offset).toBe(7);
  });

  test('the log gets no unnecessary group', async () => {
    const log = await filledLog();
    const { repaired, stop } = await start(log, { sync: null });
    await repaired;
    await stop();
    expect((await log.committed('requests.raw', 'writer-durable')).size).toBe(0);
  });
});

describe('after a crash of only the program', () => {
  test('the planned range and its token stay', async () => {
    const log = await crashedLog();
    const { repaired, tokens, commands, stop } = await start(log, { bootId: 'boot-1' });
    await repaired;
    expect(commands).toEqual([]);
    expect(await committed(log)).toEqual({ offset: 7, metadata: 'plan:8' });
    expect(tokens).toEqual(['token']);
    await stop();
  });
});
