import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import type { FileStatement } from './answer-file.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const statement = (given: Partial<FileStatement> = {}): FileStatement => ({
  name: 'test.file',
  sql: 'SELECT number AS n, toString(number) AS t FROM numbers({many: UInt64})',
  params: { many: 3 },
  format: 'CSVWithNames',
  compression: 'none',
  timeoutMs: 60_000,
  ...given,
});

async function read(given: Partial<FileStatement> = {}) {
  const { bytes, rows } = await engine.clickhouse.readFile(statement(given));
  return { bytes: await buffer(bytes), rows };
}

test('CSV follows RFC 4180, with a header, in UTF-8', async () => {
  const { bytes, rows } = await read({
    sql: `SELECT 'a,"b"' AS "x y", 'ü\\r\\nz' AS lines, NULL AS none, 1.5 AS real, true AS yes, toDateTime64('2026-11-22 10:00:00.5', 3, 'UTC') AS at`,
    params: {},
  });
  expect(rows).toBe(1);
  expect(bytes.toString()).toBe(
    '"x y","lines","none","real","yes","at"\r\n"a,""b""","ü\r\nz",,1.5,true,"2026-11-22T10:00:00.500Z"\r\n',
  );
});

test('the row count is the answer’s, not that of the rows read', async () => {
  const sql = 'SELECT number % 7 AS n, count() AS c FROM numbers({many: UInt64}) GROUP BY n HAVING n > 1';
  for (const format of ['CSVWithNames', 'JSONEachRow', 'Parquet'] as const)
    expect((await read({ sql, params: { many: 100_000 }, format })).rows).toBe(5);
  const limited = `${sql} ORDER BY n LIMIT 2`;
  expect((await read({ sql: limited, params: { many: 100_000 } })).rows).toBe(2);
  expect((await read({ params: { many: 0 } })).bytes.toString()).toBe('"n","t"\r\n');
});

test('NDJSON has one row per line', async () => {
  const { bytes } = await read({ format: 'JSONEachRow', params: { many: 2 } });
  expect(bytes.toString()).toBe('{"n":0,"t":"0"}\n{"n":1,"t":"1"}\n');
});

test('Parquet is Parquet', async () => {
  const { bytes } = await read({ format: 'Parquet' });
  expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
  expect(bytes.subarray(-4).toString()).toBe('PAR1');
});

test('a file is compressed as a whole', async () => {
  const plain = await read({ params: { many: 100_000 } });
  const gzip = await read({ params: { many: 100_000 }, compression: 'gzip' });
  expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  const zstd = await read({ params: { many: 100_000 }, compression: 'zstd' });
  expect(zstd.bytes.readUInt32LE(0)).toBe(0xfd2fb528);
  if (typeof zstdDecompressSync === 'function')
    expect(zstdDecompressSync(zstd.bytes).equals(plain.bytes)).toBe(true);
  expect([gzip.rows, zstd.rows]).toEqual([100_000, 100_000]);
});

describe('a statement that fails', () => {
  test('returns no bytes', async () => {
    const sql = "SELECT throwIf(number = 900000, 'too far') AS n FROM numbers({many: UInt64})";
    await expect(read({ sql, params: { many: 1_000_000 } })).rejects.toThrow('too far');
  });

  test('cannot access files or functions beyond the tables', async () => {
    await expect(
      read({ sql: "SELECT * FROM file('/etc/passwd', 'LineAsString')", params: {} }),
    ).rejects.toThrow();
    await expect(read({ sql: "SELECT 1 INTO OUTFILE '/tmp/loglane-out'", params: {} })).rejects.toThrow();
  });

  test('ends when it is aborted', async () => {
    const giveUp = new AbortController();
    const sql = 'SELECT count() FROM numbers(100000000000) WHERE cityHash64(number) = 1';
    const reading = read({ sql, params: {}, signal: giveUp.signal });
    setTimeout(() => giveUp.abort(new Error('nobody waits')), 300);
    await expect(reading).rejects.toThrow('nobody waits');
  });
});
