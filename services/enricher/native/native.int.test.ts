import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import type { Encoded, EntryColumn, RowColumn } from './column.js';
import { encodeNativeBlock } from './encode-block.js';
import { bool, dateTime, ipv6, uint16, uint32, uint64 } from './entry-columns.js';
import {
  boolRows,
  dateTime64Rows,
  nullableUint32Rows,
  uint16Rows,
  uint32Rows,
  uint64Rows,
} from './row-columns.js';
import { lowCardinality, text } from './text-columns.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
  await store.clickhouse.command(`CREATE TABLE every_type (
    row UInt32, u16 UInt16, u64 UInt64, u32 UInt32, u16_row UInt16, u64_row UInt64, flag Bool, flag_row Bool, second DateTime('UTC'), instant DateTime64(3, 'UTC'),
    maybe Nullable(UInt32), address IPv6, text String, word LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY row`);
});
afterAll(() => store?.stop());

const stored = z.object({
  u16: z.number(),
  u64: z.number(),
  u32: z.number(),
  flag: z.boolean(),
  second: z.number(),
  instant: z.number(),
  maybe: z.number().nullable(),
  address: z.string(),
  text: z.string(),
  word: z.string(),
});
type Row = z.infer<typeof stored>;

/** Represents null. */
const NONE = -1;

function encode(rows: readonly Row[]): Buffer {
  const columns = new Map<string, () => Encoded>();
  const order = Uint32Array.from(rows.keys());
  // Entries in another order than the rows that use them.
  const entryOf = Uint32Array.from(rows, (_, row) => rows.length - 1 - row);
  const share = <Value>(name: string, column: EntryColumn<Value>, tell: (row: Row) => Value) => {
    for (const one of rows.toReversed()) column.add(tell(one));
    columns.set(name, () => column.encode(entryOf));
  };
  const put = (name: string, column: RowColumn, tell: (row: Row) => number) => {
    // The second half by indexes in a block that starts with it.
    const half = rows.length >> 1;
    const values = rows.map(tell);
    column.gather(0, order.subarray(0, half), values);
    column.gather(half, order.subarray(0, rows.length - half), values.slice(half));
    columns.set(name, () => column.encode(rows.length));
  };
  const numbers = uint32Rows(rows.length);
  numbers.set(0, order);
  columns.set('row', () => numbers.encode(rows.length));
  share('u16', uint16(), ({ u16 }) => u16);
  share('u64', uint64(), ({ u64 }) => u64);
  share('u32', uint32(), ({ u32 }) => u32);
  put('u16_row', uint16Rows(rows.length), ({ u16 }) => u16);
  put('u64_row', uint64Rows(rows.length), ({ u64 }) => u64);
  share('flag', bool(), ({ flag }) => flag);
  put('flag_row', boolRows(rows.length), ({ flag }) => Number(flag));
  share('second', dateTime(), ({ second }) => second);
  put('instant', dateTime64Rows(rows.length), ({ instant }) => instant);
  put('maybe', nullableUint32Rows(rows.length, NONE), ({ maybe }) => maybe ?? NONE);
  share('address', ipv6(), ({ address }) => address);
  share('text', text(), (one) => one.text);
  share('word', lowCardinality(), ({ word }) => word);
  return Buffer.concat([...encodeNativeBlock(columns, rows.length)]);
}

let inserts = 0;

async function storeAndRead(rows: readonly Row[]): Promise<Row[]> {
  await store.clickhouse.command('TRUNCATE TABLE every_type');
  await store.clickhouse.insert({
    table: 'every_type',
    columns: [
      'row',
      'u16',
      'u64',
      'u32',
      'u16_row',
      'u64_row',
      'flag',
      'flag_row',
      'second',
      'instant',
      'maybe',
      'address',
      'text',
      'word',
    ],
    rows: encode(rows),
    format: 'Native',
    deduplicationToken: `every type ${inserts++}`,
  });
  return store.clickhouse.read({
    name: 'test',
    sql: `SELECT if(u16 = u16_row, u16, NULL) AS u16, if(u64 = u64_row, u64, NULL) AS u64, u32, if(flag = flag_row, flag, NULL) AS flag, toUnixTimestamp(second) AS second, toUnixTimestamp64Milli(instant) AS instant, maybe,
            replaceRegexpOne(toString(address), '^::ffff:', '') AS address, text, word
          FROM every_type ORDER BY row`,
    params: {},
    row: stored,
  });
}

const row: Row = {
  u16: 0,
  u64: 0,
  u32: 0,
  flag: false,
  second: 0,
  instant: 0,
  maybe: null,
  address: '192.0.2.1',
  text: '',
  word: '',
};

// A lone surrogate becomes U+FFFD in UTF-8, and is not valid in JSON either.
const anyText = fc
  .oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 300 }))
  .map((value) => Buffer.from(value).toString());

const anyRow: fc.Arbitrary<Row> = fc.record({
  u16: fc.integer({ min: 0, max: 65_535 }),
  u32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
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

  test('contains no bytes of undone additions, and the rows before and after them unchanged', async () => {
    const columns = { address: ipv6(), text: text(), word: lowCardinality() };
    const add = (value: string, address: string) => {
      columns.address.add(address);
      columns.text.add(value);
      columns.word.add(value);
    };
    add('a', '192.0.2.1');
    for (const column of Object.values(columns)) column.mark();
    add('lost', '192.0.2.2');
    add('', '192.0.2.2');
    columns.word.add('lost, too');
    for (const column of Object.values(columns)) column.undo();
    add('', '192.0.2.3');
    add('a', '192.0.2.4');
    add('lo', '192.0.2.5');
    const entryOf = Uint32Array.of(0, 1, 2, 3);
    const encoders = Object.entries(columns).map(
      ([name, column]) => [name, () => column.encode(entryOf)] as const,
    );
    const rowNumbers = uint32Rows(4);
    rowNumbers.set(0, entryOf);
    const body = Buffer.concat([
      ...encodeNativeBlock(new Map([['row', () => rowNumbers.encode(4)], ...encoders]), 4),
    ]);
    expect(body.includes('lost')).toBe(false);
    await store.clickhouse.command('TRUNCATE TABLE every_type');
    await store.clickhouse.insert({
      table: 'every_type',
      columns: ['row', ...Object.keys(columns)],
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
      { address: '::ffff:192.0.2.3', text: '', word: '' },
      { address: '::ffff:192.0.2.4', text: 'a', word: 'a' },
      { address: '::ffff:192.0.2.5', text: 'lo', word: 'lo' },
    ]);
  });

  test('has texts row by row in pieces if a dictionary would save nothing', async () => {
    const long = 'x'.repeat(700_000);
    const texts = ['a', `${long}1`, `${long}2`, 'b', '', `${long}3`, 'c', 'd', '', 'a'];
    const rows = texts.map((value) => ({ ...row, text: value }));
    expect(await storeAndRead(rows)).toEqual(rows);
    const column = text();
    for (const value of texts) column.add(value);
    const { type, parts } = column.encode(Uint32Array.from(texts.keys()));
    expect(type).toBe('String');
    expect([...parts].length).toBeGreaterThan(1);
  });

  test.each([42, 43, 60, 61, 127, 128, 16_383, 16_384])('has texts of %d characters', async (length) => {
    const rows = ['x', 'ü', '語'].map((character) => ({
      ...row,
      text: character.repeat(length),
      word: character.repeat(length),
    }));
    expect(await storeAndRead(rows)).toEqual(rows);
  });
});
