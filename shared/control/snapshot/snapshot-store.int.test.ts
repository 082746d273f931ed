import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { partsOf } from '../../../test/harness/memory-snapshot-store.js';
import { connectClickHouse } from '../../store/client.js';
import type { Snapshot } from './snapshot.js';
import { insertSnapshotPart, listSnapshots } from './snapshot-rows.js';
import { createSnapshotStore, type SnapshotStore } from './snapshot-store.js';

const logger = pino({ level: 'silent' });
let clickhouse: TestClickHouse;
let store: SnapshotStore;
beforeAll(async () => {
  clickhouse = await startTestClickHouse();
  store = createSnapshotStore(clickhouse.clickhouse, logger);
});
afterEach(() => clickhouse.clickhouse.command('TRUNCATE TABLE control_snapshots'));
afterAll(() => clickhouse?.stop());

function snapshotOf(nextOffset: number, texts: readonly string[], fingerprint = 'own'): Snapshot {
  return { fingerprint, nextOffset, lastDecision: `decision ${nextOffset}`, parts: partsOf(texts) };
}

/** A writer that dies after the given parts. */
function halfOf(nextOffset: number, texts: readonly string[]): Snapshot {
  async function* torn() {
    yield* texts;
    throw new Error('the process is gone');
  }
  return { ...snapshotOf(nextOffset, []), parts: torn() };
}

async function newest(fingerprint = 'own') {
  const snapshot = await store.readNewest(fingerprint);
  if (snapshot === null) return null;
  const texts: string[] = [];
  for await (const text of snapshot.parts) texts.push(text);
  return { nextOffset: snapshot.nextOffset, lastDecision: snapshot.lastDecision, texts };
}

const stored = async () =>
  (await listSnapshots(clickhouse.clickhouse)).map(({ nextOffset }) => nextOffset).sort((a, b) => a - b);

describe('the newest snapshot', () => {
  test('round-trips, part by part', async () => {
    const texts = Array.from({ length: 19 }, (_, part) => `{"part":${part},"text":"ü\\n\\t\\"\\\\ ✓"}\n\t'`);
    expect(await newest()).toBeNull();
    await store.write(snapshotOf(20_000, texts));
    expect(await newest()).toEqual({ nextOffset: 20_000, lastDecision: 'decision 20000', texts });
    await store.write(snapshotOf(40_000, ['', 'x'.repeat(3 * 1024 ** 2)]));
    expect(await newest()).toMatchObject({ nextOffset: 40_000, texts: ['', 'x'.repeat(3 * 1024 ** 2)] });
  });

  test('has the reader’s fingerprint', async () => {
    await store.write(snapshotOf(1, ['own']));
    await store.write(snapshotOf(2, ['other'], 'other'));
    expect((await newest())?.texts).toEqual(['own']);
    expect((await newest('other'))?.texts).toEqual(['other']);
    expect(await newest('third')).toBeNull();
  });

  test('is a complete one', async () => {
    await store.write(snapshotOf(1, ['whole']));
    await expect(store.write(halfOf(2, ['a', 'b', 'c']))).rejects.toThrow('the process is gone');
    expect(await stored()).toEqual([1, 2]);
    expect((await newest())?.texts).toEqual(['whole']);
    // The next writer of the same snapshot completes it.
    await store.write(snapshotOf(2, ['a', 'b', 'c', 'd']));
    expect((await newest())?.texts).toEqual(['a', 'b', 'c', 'd']);
  });

  test('has no gap', async () => {
    const name = { fingerprint: 'own', nextOffset: 3, lastDecision: 'd' };
    for (const part of [0, 2])
      await insertSnapshotPart(clickhouse.clickhouse, name, { part, parts: part + 1, content: 'x' });
    expect(await stored()).toEqual([3]);
    expect(await newest()).toBeNull();
  });

  test('is one, even if several processes wrote it', async () => {
    const texts = ['a', 'b', 'c'];
    const other = createSnapshotStore(clickhouse.clickhouse, logger);
    await Promise.all([store.write(snapshotOf(7, texts)), other.write(snapshotOf(7, texts))]);
    await store.write(snapshotOf(7, texts));
    expect((await newest())?.texts).toEqual(texts);
    const [row] = await clickhouse.clickhouse.read({
      name: 'test',
      sql: 'SELECT count() AS rows FROM control_snapshots',
      params: {},
      row: z.object({ rows: z.number() }),
    });
    expect(row?.rows).toBe(3);
  });
});

describe('the stored snapshots', () => {
  test('are the newest two', async () => {
    await expect(store.write(halfOf(1, ['a', 'b']))).rejects.toThrow();
    for (const offset of [2, 3]) await store.write(snapshotOf(offset, ['a', 'b']));
    expect(await stored()).toEqual([2, 3]);
    await store.write(snapshotOf(4, ['a', 'b']));
    expect(await stored()).toEqual([3, 4]);
  });

  test('a reader whose snapshot is deleted meanwhile gets an error', async () => {
    await store.write(snapshotOf(1, Array.from({ length: 30 }, String)));
    const snapshot = await store.readNewest('own');
    await clickhouse.clickhouse.command('TRUNCATE TABLE control_snapshots');
    const walk = async () => {
      for await (const _ of snapshot!.parts);
    };
    await expect(walk()).rejects.toThrow(/offset 1 are gone/);
  });
});

test('without a ClickHouse a read fails soon', async () => {
  const absent = connectClickHouse('http://u:p@127.0.0.1:1', { maxMemoryBytes: 1e8 });
  await expect(createSnapshotStore(absent, logger).readNewest('own')).rejects.toThrow('not reachable');
  await absent.close();
});
