import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import type { Column } from './column.js';
import { bool, dateTime, dateTime64, ipv6, nullableUint32, uint16, uint32, uint64 } from './columns.js';
import { encodeNativeBlock } from './encode-block.js';
import { lowCardinality, text } from './text-columns.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
  await store.clickhouse.command(`CREATE TABLE every_type (
    row UInt32, u16 UInt16, u64 UInt64, flag Bool, second DateTime('UTC'), instant DateTime64(3, 'UTC'),
    maybe Nullable(UInt32), address IPv6, text String, word LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY row`);
});
afterAll(() => store?.stop());

const stored = z.object({
  u16: z.number(),
  u64: z.number(),
  flag: z.boolean(),
  second: z.number(),
  instant: z.number(),
  maybe: z.number().nullable(),
  address: z.string(),
  text: z.string(),
  word: z.string(),
});
type Row = z.infer<typeof stored>;

function encode(rows: readonly Row[]): Buffer {
  const columns = {
    row: uint32(rows.length),
    u16: uint16(rows.length),
    u64: uint64(rows.length),
    flag: bool(rows.length),
    second: dateTime(rows.length),
    instant: dateTime64(rows.length),
    maybe: nullableUint32(rows.length),
    address: ipv6(rows.length),
    text: text(rows.length),
    word: lowCardinality(rows.length),
  };
  const places = Uint32Array.from(rows.keys());
  columns.row.gather(0, { rows: places, ids: null, count: 0, valueAt: (place) => place });
  const put = <Value>(column: Column<Value>, tell: (row: Row) => Value) => {
    // Half of the rows by a dictionary, whose last values come first; the others as they stand.
    const half = rows.length >> 1;
    const ids = Uint32Array.from(rows.keys()).reverse();
    column.gather(0, {
      rows: places.subarray(0, half),
      ids,
      count: rows.length,
      valueAt: (place) => tell(rows[rows.length - 1 - place]!),
    });
    column.gather(half, {
      rows: places.subarray(half),
      ids: null,
      count: 0,
      valueAt: (place) => tell(rows[place]!),
    });
  };
  put(columns.u16, ({ u16 }) => u16);
  put(columns.u64, ({ u64 }) => u64);
  put(columns.flag, ({ flag }) => flag);
  put(columns.second, ({ second }) => second);
  put(columns.instant, ({ instant }) => instant);
  put(columns.maybe, ({ maybe }) => maybe);
  put(columns.address, ({ address }) => address);
  put(columns.text, (one) => one.text);
  put(columns.word, ({ word }) => word);
  return encodeNativeBlock(columns, rows.length);
}

let inserts = 0;

async function storeAndRead(rows: readonly Row[]): Promise<Row[]> {
  await store.clickhouse.command('TRUNCATE TABLE every_type');
  await store.clickhouse.insert({
    table: 'every_type',
    columns: ['row', 'u16', 'u64', 'flag', 'second', 'instant', 'maybe', 'address', 'text', 'word'],
    rows: encode(rows),
    format: 'Native',
    deduplicationToken: `every type ${inserts++}`,
  });
  return store.clickhouse.read({
    name: 'test',
    sql: `SELECT u16, u64, flag, toUnixTimestamp(second) AS second, toUnixTimestamp64Milli(instant) AS instant, maybe,
            replaceRegexpOne(toString(address), '^::ffff:', '') AS address, text, word
          FROM every_type ORDER BY row`,
    params: {},
    row: stored,
  });
}

const row: Row = {
  u16: 0,
  u64: 0,
  flag: false,
  second: 0,
  instant: 0,
  maybe: null,
  address: '192.0.2.1',
  text: '',
  word: '',
};

// A lone surrogate becomes U+FFFD in UTF-8, and is no text in JSON either.
const anyText = fc
  .oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 300 }))
  .map((value) => Buffer.from(value).toString());

const anyRow: fc.Arbitrary<Row> = fc.record({
  u16: fc.integer({ min: 0, max: 65_535 }),
  u64: fc.oneof(fc.integer({ min: 0, max: 2 ** 31 }), fc.maxSafeNat()),
  flag: fc.boolean(),
  second: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  instant: fc.integer({ min: -2_208_988_800_000, max: 10_413_791_999_999 }),
  maybe: fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  address: fc.oneof(fc.ipV4(), fc.constantFrom('2001:db8::1', '::1', 'fe80::a:b', '2001:db8:1:2:3:4:5:6')),
  text: fc.oneof(anyText, fc.constantFrom('', '/a', '/b')),
  word: fc.oneof(anyText, fc.constantFrom('', 'GET', 'POST')),
});

describe('a block of the Native format', () => {
  test('is read by the engine as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 40 }), async (rows) => {
        expect(await storeAndRead(rows)).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['one byte', 256],
    ['two bytes', 257],
    ['four bytes', 65_537],
  ])('has dictionaries with indexes of %s', async (_width, words) => {
    const rows = Array.from({ length: words + 3 }, (_, index) => ({ ...row, word: `word ${index % words}` }));
    expect(await storeAndRead(rows)).toEqual(rows);
  });

  test('has what was truncated nowhere in its bytes, and the rows before and behind it as they were', async () => {
    const columns = { row: uint32(4), address: ipv6(4), text: text(4), word: lowCardinality(4) };
    const add = (from: number, value: string, address: string) => {
      columns.row.fill(from, 1, from);
      columns.address.fill(from, 1, address);
      columns.text.fill(from, 1, value);
      columns.word.fill(from, 1, value);
    };
    add(0, 'a', '192.0.2.1');
    add(1, 'lost', '192.0.2.2');
    for (const column of Object.values(columns)) column.truncate(1);
    add(1, 'b', '192.0.2.3');
    add(2, 'a', '192.0.2.4');
    const body = encodeNativeBlock(columns, 3);
    expect(body.includes('lost')).toBe(false);
    await store.clickhouse.command('TRUNCATE TABLE every_type');
    await store.clickhouse.insert({
      table: 'every_type',
      columns: Object.keys(columns),
      rows: body,
      format: 'Native',
      deduplicationToken: 'truncated',
    });
    const read = await store.clickhouse.read({
      name: 'test',
      sql: 'SELECT toString(address) AS address, text, toString(word) AS word FROM every_type ORDER BY row',
      params: {},
      row: z.object({ address: z.string(), text: z.string(), word: z.string() }),
    });
    expect(read).toEqual([
      { address: '::ffff:192.0.2.1', text: 'a', word: 'a' },
      { address: '::ffff:192.0.2.3', text: 'b', word: 'b' },
      { address: '::ffff:192.0.2.4', text: 'a', word: 'a' },
    ]);
  });

  test.each([42, 43, 127, 128, 16_383, 16_384])('has texts of %d characters', async (length) => {
    const rows = ['x', 'ü', '語'].map((character) => ({
      ...row,
      text: character.repeat(length),
      word: character.repeat(length),
    }));
    expect(await storeAndRead(rows)).toEqual(rows);
  });
});
