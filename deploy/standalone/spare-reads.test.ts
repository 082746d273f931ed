import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ClickHouse, InsertOptions } from '../../shared/store/client.js';
import { spareReads } from './spare-reads.js';

const INSERT_MS = 300;
const query = { name: 'summary', sql: 'SELECT 1', params: {}, row: z.unknown() };
const requests: InsertOptions = {
  table: 'requests',
  columns: ['a'],
  rows: Buffer.from('1'),
  deduplicationToken: 't',
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A store whose inserts take 300 ms each. The test ends each read. */
function setUp() {
  const begun: (number | undefined)[] = [];
  const store = {
    read: ({ name }: { name: string }) => new Promise((done) => setTimeout(() => done([]), Number(name))),
    async insert({ threads }: InsertOptions) {
      begun.push(threads);
      await new Promise((done) => setTimeout(done, INSERT_MS));
    },
  } as unknown as ClickHouse;
  const { forCallers, forInserts } = spareReads(store, () => performance.now());
  const read = (ms: number) => void forCallers.read({ ...query, name: String(ms) });
  const insert = (table = 'requests') => void forInserts.insert({ ...requests, table });
  /** Runs one insert, whose duration limits the wait of the next. */
  const stored = async () => {
    insert();
    await vi.advanceTimersByTimeAsync(INSERT_MS);
    begun.length = 0;
  };
  return { begun, read, insert, stored };
}

describe('an insert of requests', () => {
  it('has all threads and starts at once without reads of callers', async () => {
    const { begun, insert, stored } = setUp();
    await stored();
    insert();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([undefined]);
  });

  it('waits for the reads of callers, and has one thread', async () => {
    const { begun, read, insert, stored } = setUp();
    await stored();
    read(50);
    read(100);
    insert();
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([1]);
  });

  it('waits at most as long as the last insert took, even during longer reads', async () => {
    const { begun, read, insert, stored } = setUp();
    await stored();
    read(60_000);
    insert();
    await vi.advanceTimersByTimeAsync(INSERT_MS - 1);
    expect(begun).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([1]);
  });

  it('has one thread between two reads of a caller, and all threads after the last', async () => {
    const { begun, read, insert } = setUp();
    read(10);
    await vi.advanceTimersByTimeAsync(1_000);
    insert();
    await vi.advanceTimersByTimeAsync(2_000);
    insert();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([1, undefined]);
  });
});

it('does not delay inserts into other tables', async () => {
  const { begun, read, insert, stored } = setUp();
  await stored();
  read(60_000);
  insert('alerts');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([undefined]);
});
