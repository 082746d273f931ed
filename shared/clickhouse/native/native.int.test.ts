import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  bool,
  dateTime,
  dateTime64,
  ipv6,
  lowCardinality,
  nullableUint32,
  string,
  uint16,
  uint32,
  uint64,
} from './columns.js';
import { encodeNativeBlock } from './encode-block.js';

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
    text: string(rows.length),
    word: lowCardinality(rows.length),
  };
  rows.forEach((row, index) => {
    columns.row.set(index, index);
    columns.u16.set(index, row.u16);
    columns.u64.set(index, row.u64);
    columns.flag.set(index, row.flag);
    columns.second.set(index, row.second);
    columns.instant.set(index, row.instant);
    columns.maybe.set(index, row.maybe);
    columns.address.set(index, row.address);
    columns.text.set(index, row.text);
    columns.word.set(index, row.word);
  });
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
const text = fc
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
  text,
  word: fc.oneof(text, fc.constantFrom('', 'GET', 'POST')),
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

  test.each([42, 43, 127, 128, 16_383, 16_384])('has texts of %d characters', async (length) => {
    const rows = ['x', 'ü', '語'].map((character) => ({
      ...row,
      text: character.repeat(length),
      word: character.repeat(length),
    }));
    expect(await storeAndRead(rows)).toEqual(rows);
  });
});
