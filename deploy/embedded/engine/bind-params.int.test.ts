import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient, TupleParam } from '@clickhouse/client';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './start-engine.js';

let engine: EmbeddedClickHouse;
let directory: string;
let client: ClickHouseClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-params-'));
  engine = await startEmbeddedClickHouse({ directory, logger: pino({ level: 'silent' }) });
  client = createClient({ url: engine.url, log: { level: ClickHouseLogLevel.OFF } });
});

afterAll(async () => {
  await client?.close();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function ask(sql: string, query_params: Record<string, unknown>): Promise<Record<string, unknown>> {
  const answer = await client.query({
    query: sql,
    query_params,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  });
  return (await answer.json<Record<string, unknown>>())[0] as Record<string, unknown>;
}

describe('parameters reach the engine unchanged', () => {
  const cases: [type: string, value: unknown, answer: unknown, name: string][] = [
    ['UInt8', 255, 255, 'UInt8'],
    ['Int64', '-9223372036854775808', '-9223372036854775808', 'Int64'],
    ['UInt64', '18446744073709551615', '18446744073709551615', 'UInt64'],
    [
      'Int128',
      '-170141183460469231731687303715884105728',
      '-170141183460469231731687303715884105728',
      'Int128',
    ],
    ['Float64', 1.5e-7, 1.5e-7, 'Float64'],
    ['Decimal(18, 4)', '12.3456', 12.3456, 'Decimal(18, 4)'],
    ['Bool', true, true, 'Bool'],
    ['Date', '2026-02-28', '2026-02-28', 'Date'],
    ["DateTime('UTC')", new Date('2026-02-28T12:34:56Z'), '2026-02-28 12:34:56', "DateTime('UTC')"],
    [
      "DateTime64(3, 'UTC')",
      new Date('2026-02-28T12:34:56.789Z'),
      '2026-02-28 12:34:56.789',
      "DateTime64(3, 'UTC')",
    ],
    [
      "DateTime64(3, 'UTC')",
      new Date('1999-02-28T12:34:56.789Z'),
      '1999-02-28 12:34:56.789',
      "DateTime64(3, 'UTC')",
    ],
    ['UUID', '61f0c404-5cb3-11e7-907b-a6006ad3dba0', '61f0c404-5cb3-11e7-907b-a6006ad3dba0', 'UUID'],
    ['IPv4', '192.0.2.1', '192.0.2.1', 'IPv4'],
    ['IPv6', '2001:db8::1', '2001:db8::1', 'IPv6'],
    ['IPv6', '192.0.2.1', '::ffff:192.0.2.1', 'IPv6'],
    ['FixedString(3)', 'abc', 'abc', 'FixedString(3)'],
    ['Nullable(String)', null, null, 'Nullable(String)'],
    ['LowCardinality(String)', 'x', 'x', 'LowCardinality(String)'],
    ['Array(UInt64)', [], [], 'Array(UInt64)'],
    ['Array(Nullable(Int32))', [1, null, -3], [1, null, -3], 'Array(Nullable(Int32))'],
    ['Array(Array(String))', [['a', "b'"], []], [['a', "b'"], []], 'Array(Array(String))'],
    ['Array(Bool)', [true, false], [true, false], 'Array(Bool)'],
    ['Array(Int64)', [-1, 2 ** 40], ['-1', '1099511627776'], 'Array(Int64)'],
    ['Array(Date)', ['2026-02-28'], ['2026-02-28'], 'Array(Date)'],
    ['Array(IPv6)', ['2001:db8::1'], ['2001:db8::1'], 'Array(IPv6)'],
    [
      'Array(UUID)',
      ['61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
      ['61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
      'Array(UUID)',
    ],
    ['Tuple(UInt8, String)', new TupleParam([1, "it's"]), [1, "it's"], 'Tuple(UInt8, String)'],
  ];
  test.each(cases)('%s: %s', async (type, value, expected, name) => {
    const row = await ask(`SELECT {v:${type}} AS v, toTypeName(v) AS type`, { v: value });
    expect(row).toEqual({ v: expected, type: name });
  });

  test('any text, alone and in lists', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ unit: fc.constantFrom(...'\'\\`";-/*{}:[], \n\t\0\u2019aN') })),
        async (text, list) => {
          const row = await ask('SELECT {t:String} AS t, {l:Array(String)} AS l', { t: text, l: list });
          expect(row).toEqual({ t: text, l: list });
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('in LIMIT, IN, names of tables and columns', async () => {
    const row = await ask(
      'SELECT count() AS n FROM (SELECT {column:Identifier} AS c FROM {table:Identifier} WHERE c IN {list:Array(UInt64)} LIMIT {limit:UInt32})',
      { column: 'number', table: 'numbers_view', list: [1, 2, 3, 5], limit: 3 },
    ).catch((error: Error) => error.message);
    expect(row).toContain('numbers_view');
    await client.command({ query: 'CREATE VIEW numbers_view AS SELECT number FROM system.numbers LIMIT 10' });
    expect(
      await ask(
        'SELECT count() AS n FROM (SELECT {column:Identifier} AS c FROM {table:Identifier} WHERE c IN {list:Array(UInt64)} LIMIT {limit:UInt32})',
        { column: 'number', table: 'numbers_view', list: [1, 2, 3, 5], limit: 3 },
      ),
    ).toEqual({ n: '3' });
  });

  test('a missing or malformed parameter is an error of the caller', async () => {
    await expect(ask('SELECT {v:UInt8} AS v', {})).rejects.toMatchObject({ code: '456' });
    await expect(ask('SELECT {v:UInt8} AS v', { v: 'x' })).rejects.toMatchObject({ code: '457' });
  });

  test.each([
    ['Float64', '1e'],
    ['Float64', "1'"],
    ['Bool', 'constructor'],
    ['DateTime', '1700000000.5'],
    ["DateTime64(3, 'UTC')", 'now()'],
    ['UUID', 'x'],
    ['IPv4', '1.2.3.400'],
    ['IPv6', '1:2'],
    ['FixedString(2)', 'abc'],
    ['String', null],
    ['Array(UInt8)', '1'],
    ['Array(UInt8)', '[1'],
    ['Array(UInt8)', '[1]]'],
    ['Array(UInt8)', '[[1]]'],
    ['Array(UInt8)', ['x']],
    ['Array(String)', "['a', 'b'"],
    ['Array(String)', "['a' 'b']"],
    ['UInt7', '1'],
    ['DateTime(now())', '1'],
    ['Array', '[]'],
  ])('for %s the value %s is refused', async (type, value) => {
    await expect(ask(`SELECT {v:${type}} AS v`, { v: value })).rejects.toThrow();
  });

  test('in a statement that changes rows, and as a value in its mutation', async () => {
    await client.command({
      query: 'CREATE TABLE changed (a UInt64, b String) ENGINE = MergeTree ORDER BY a',
    });
    await client.command({
      query: 'INSERT INTO {table:Identifier} SELECT number, {b:String} FROM numbers({n:UInt64})',
      query_params: { table: 'changed', b: "it's", n: 4 },
    });
    await client.command({
      query: 'ALTER TABLE changed DELETE WHERE a IN {gone:Array(UInt64)} AND b = {b:String}',
      query_params: { gone: [1, 2, 9], b: "it's" },
      clickhouse_settings: { mutations_sync: '1' },
    });
    expect(await ask('SELECT groupArray((a, b)) AS rows FROM changed', {})).toEqual({
      rows: [
        ['0', "it's"],
        ['3', "it's"],
      ],
    });
  });
});
