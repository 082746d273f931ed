import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import {
  type Counts,
  countsSql,
  expectedCounts,
  requestRowColumns,
  requestRows,
} from '../../test/harness/request-rows.js';
import { connectClickHouse, type Query } from './client.js';
import {
  AnswerTooLongError,
  blameOf,
  InsertEndedError,
  ReadTooLargeError,
  StoreOutOfMemoryError,
  StoreTimeoutError,
  StoreUnavailableError,
  translate,
} from './store-errors.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

const ask = <Row>(
  sql: string,
  row: z.ZodType<Row>,
  more: Partial<Pick<Query<Row>, 'params' | 'timeoutMs'>> = {},
) => store.clickhouse.read({ name: 'test', sql, row, params: {}, ...more });

async function counts(): Promise<Counts> {
  return (await ask(countsSql, z.record(z.string(), z.number())))[0] as Counts;
}

const insertRows = (batch: number, rows: number, deduplicationToken = `batch ${batch}`) =>
  store.clickhouse.insert({
    table: 'requests',
    columns: requestRowColumns,
    rows: requestRows({ batch, rows }),
    deduplicationToken,
  });

describe('inserts', () => {
  test('a batch repeated with its token changes nothing in the table or any rollup', async () => {
    await insertRows(1, 2_000);
    const before = await counts();
    await insertRows(1, 2_000);
    expect(await counts()).toEqual(before);
    expect(before).toEqual(expectedCounts(2_000, before));
    expect(before.bots).toBeGreaterThan(0);
  });

  test('a token applies only to its own insert', async () => {
    await store.clickhouse.command(
      'CREATE TABLE tokens (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100',
    );
    const insert = (row: string, deduplicationToken: string) =>
      store.clickhouse.insert({
        table: 'tokens',
        columns: ['a'],
        rows: Buffer.from(row),
        deduplicationToken,
      });
    await insert('1\n', 'A');
    await insert('1\n', 'A');
    await insert('2\n', "B'; DROP TABLE tokens --");
    await store.clickhouse.command('INSERT INTO tokens VALUES (3)');
    await store.clickhouse.command('INSERT INTO tokens VALUES (4)');
    const rows = await ask('SELECT a FROM tokens ORDER BY a', z.object({ a: z.number() }));
    expect(rows.map(({ a }) => a)).toEqual([1, 2, 3, 4]);
  });

  test('rows that look like a header or are blank are rows', async () => {
    await store.clickhouse.command('CREATE TABLE plain (a String) ENGINE = MergeTree ORDER BY a');
    await store.clickhouse.insert({
      table: 'plain',
      columns: ['a'],
      rows: Buffer.from('a\n\nb\n'),
      deduplicationToken: 'plain',
    });
    const rows = await ask('SELECT a FROM plain ORDER BY a', z.object({ a: z.string() }));
    expect(rows.map(({ a }) => a)).toEqual(['', 'a', 'b']);
  });

  test('rows of more than a hundred partitions are inserted', async () => {
    await store.clickhouse.command(
      'CREATE TABLE scattered (a UInt32) ENGINE = MergeTree PARTITION BY a ORDER BY a',
    );
    await store.clickhouse.insert({
      table: 'scattered',
      columns: ['a'],
      rows: Buffer.from(Array.from({ length: 150 }, (_, a) => `${a}\n`).join('')),
      deduplicationToken: 'scattered',
    });
    expect(await ask('SELECT count() AS n FROM scattered', z.object({ n: z.number() }))).toEqual([
      { n: 150 },
    ]);
  });

  test.skipIf(availableParallelism() === 1)('views are computed in parallel', async () => {
    await store.clickhouse.command('CREATE TABLE watched (a UInt8) ENGINE = MergeTree ORDER BY a');
    for (const view of ['first_view', 'second_view'])
      await store.clickhouse.command(
        `CREATE MATERIALIZED VIEW ${view} ENGINE = MergeTree ORDER BY a AS SELECT a, sleep(3) FROM watched`,
      );
    const started = performance.now();
    await store.clickhouse.insert({
      table: 'watched',
      columns: ['a'],
      rows: Buffer.from('1\n'),
      deduplicationToken: 'watched',
    });
    expect(performance.now() - started).toBeLessThan(5_500);
    expect(await ask('SELECT count() AS n FROM second_view', z.object({ n: z.number() }))).toEqual([
      { n: 1 },
    ]);
  });

  test('invalid rows are refused together', async () => {
    await store.clickhouse.command('CREATE TABLE strict (a UInt8) ENGINE = MergeTree ORDER BY a');
    const bad = store.clickhouse.insert({
      table: 'strict',
      columns: ['a'],
      rows: Buffer.from('1\nx\n'),
      deduplicationToken: 'bad',
    });
    await expect(bad).rejects.toMatchObject({ code: '27' });
    expect(await ask('SELECT count() AS n FROM strict', z.object({ n: z.number() }))).toEqual([{ n: 0 }]);
  });
});

describe('the blame for a failed insert', () => {
  const tsv = (table: string, rows: string) =>
    store.clickhouse
      .insert({ table, columns: ['a'], rows: Buffer.from(rows), deduplicationToken: `${table} ${rows}` })
      .then(() => 'stored', blameOf);

  test('is on the rows if the store reads and refuses them', async () => {
    await store.clickhouse.command(
      `CREATE TABLE picky (a UInt8, CONSTRAINT small CHECK a < 10) ENGINE = MergeTree ORDER BY a`,
    );
    await store.clickhouse.command('CREATE TABLE seen (b UInt8) ENGINE = Null');
    await store.clickhouse.command(
      'CREATE MATERIALIZED VIEW seen_mv TO seen AS SELECT throwIf(a = 7) AS b FROM picky',
    );
    expect(await tsv('picky', 'x\n')).toBe('rows');
    expect(await tsv('picky', '11\n')).toBe('rows');
    expect(await tsv('picky', '7\n')).toBe('rows');
    expect(await tsv('picky', '8\n')).toBe('stored');
  });

  test('is on the store if it lacks the table or column, or is unavailable', async () => {
    await store.clickhouse.command('CREATE TABLE other (b UInt8) ENGINE = MergeTree ORDER BY b');
    expect(await tsv('nowhere', '1\n')).toBe('store');
    expect(await tsv('other', '1\n')).toBe('store');
    expect(blameOf(new StoreUnavailableError('away'))).toBe('store');
    expect(blameOf(new StoreTimeoutError('late'))).toBe('store');
  });

  test('is unknown for an unknown failure', () => {
    expect(blameOf(Object.assign(new Error('?'), { code: '49' }))).toBe('unknown');
    expect(blameOf(new Error('?'))).toBe('unknown');
    expect(blameOf(undefined)).toBe('unknown');
  });
});

describe('reads', () => {
  test('limits of one read do not affect the next statement', async () => {
    const sleepy = ask(
      'SELECT sleepEachRow(0.5) AS s FROM numbers(8) SETTINGS max_block_size = 1',
      z.unknown(),
      { timeoutMs: 1_000 },
    );
    await expect(sleepy).rejects.toBeInstanceOf(StoreTimeoutError);
    await insertRows(2, 10);
    expect(await ask('SELECT sleep(1.5) AS s', z.object({ s: z.number() }))).toEqual([{ s: 0 }]);
  });

  test('64-bit integers are returned as numbers, parameters are passed as values', async () => {
    const rows = await ask(
      "SELECT {n:UInt64} + 1 AS n, {t:DateTime64(3, 'UTC')} AS t, {list:Array(String)} AS list",
      z.object({ n: z.number(), t: z.string(), list: z.array(z.string()) }),
      { params: { n: 2 ** 40, t: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)), list: ["it's", 'b\\'] } },
    );
    expect(rows).toEqual([{ n: 2 ** 40 + 1, t: '2026-01-02 03:04:05.678', list: ["it's", 'b\\'] }]);
  });

  test('an answer with more rows than allowed is refused, one below the limit is not', async () => {
    const rows = (count: number) =>
      ask(`SELECT number AS n FROM numbers(${count})`, z.object({ n: z.number() }));
    await expect(rows(600_000)).rejects.toBeInstanceOf(AnswerTooLongError);
    expect(await rows(50_000)).toHaveLength(50_000);
  });

  test('an answer with more bytes than allowed is refused, however few its rows', async () => {
    const texts = (count: number) =>
      ask(
        `SELECT leftPad(toString(number), 8192, 'x') AS text FROM numbers(${count})`,
        z.object({ text: z.string() }),
      );
    await expect(texts(5_000)).rejects.toBeInstanceOf(AnswerTooLongError);
    expect(await texts(3_000)).toHaveLength(3_000);
    const ordinary = await ask(
      "SELECT concat('/shop/shoes/', leftPad(toString(number), 88, 'x')) AS path, number AS crawls FROM numbers(100000)",
      z.object({ path: z.string(), crawls: z.number() }),
    );
    expect(ordinary).toHaveLength(100_000);
  });

  test('exceeding the memory limit of one statement is reported as such', async () => {
    const hungry = ask(
      'SELECT length(groupArray(number)) AS n FROM numbers(10000000) SETTINGS max_memory_usage = 10000000',
      z.unknown(),
    );
    await expect(hungry).rejects.toBeInstanceOf(ReadTooLargeError);
  });

  test('exceeding the memory limit of all statements together can be retried', () => {
    const total =
      'Code: 241. DB::Exception: (total) memory limit exceeded: would use 901 MiB. (MEMORY_LIMIT_EXCEEDED)';
    const failure = translate(Object.assign(new Error(total), { code: '241' }));
    expect(failure).toBeInstanceOf(StoreOutOfMemoryError);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(blameOf(failure)).toBe('store');
    expect(blameOf(new ReadTooLargeError('too large'))).toBe('store');
  });

  test('a wrong query is neither unavailability nor a timeout', async () => {
    const error = await ask('SELECT nothing FROM nowhere', z.unknown()).catch((caught) => caught);
    expect(error).not.toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({ code: '60' });
  });

  test('a statement without an answer accepts parameters too', async () => {
    await store.clickhouse.command(
      'CREATE TABLE bound (a String) ENGINE = MergeTree PARTITION BY a ORDER BY a',
    );
    await store.clickhouse.command("INSERT INTO bound VALUES ('x'), ('y')");
    await store.clickhouse.command('ALTER TABLE bound DROP PARTITION tuple({a: String})', { a: 'x' });
    expect(await ask('SELECT a FROM bound', z.object({ a: z.string() }))).toEqual([{ a: 'y' }]);
  });

  test('an answer of another shape is an error', async () => {
    await expect(ask("SELECT 'x' AS n", z.object({ n: z.number() }))).rejects.toThrow(z.ZodError);
  });
});

describe('without a working ClickHouse', () => {
  const limits = { maxMemoryBytes: 1e8 };
  const query = { name: 'test', sql: 'SELECT 1', params: {}, row: z.unknown() };

  test('a refused connection is unavailability', async () => {
    const absent = connectClickHouse('http://u:p@127.0.0.1:1', limits);
    await expect(absent.read(query)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await absent.ping()).toBe(false);
    await absent.close();
  });

  async function withServer(answer: Parameters<typeof createServer>[1], use: (url: string) => Promise<void>) {
    const server = createServer(answer);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      await use(`http://u:p@127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const insertion = { table: 't', columns: ['a'], rows: Buffer.from('1\n'), deduplicationToken: 'T' };

  test('an insert sets everything its token needs, regardless of the server’s profile', async () => {
    const asked: URLSearchParams[] = [];
    await withServer(
      (request, response) => {
        asked.push(new URL(request.url ?? '', 'http://engine').searchParams);
        request.resume().on('end', () => response.end());
      },
      async (url) => {
        const client = connectClickHouse(url, limits);
        await client.insert(insertion);
        await client.insert({ ...insertion, threads: 1 });
        await client.close();
      },
    );
    expect(asked.map((settings) => settings.get('max_threads'))).toEqual([null, '1']);
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      insert_deduplication_token: 'T',
      insert_deduplicate: '1',
      deduplicate_blocks_in_dependent_materialized_views: '1',
      async_insert: '0',
      max_partitions_per_insert_block: '0',
      parallel_view_processing: '1',
    });
  });

  test.each([8, 12 * 1024 ** 2])('an insert of %i bytes counts only when all were sent', async (bytes) => {
    const rows = Buffer.alloc(bytes, '1\n');
    let received = 0;
    await withServer(
      (request, response) => {
        request.on('data', (piece: Buffer) => {
          received += piece.length;
        });
        request.on('end', () => response.end());
      },
      async (url) => {
        const client = connectClickHouse(url, limits);
        await client.insert({ ...insertion, rows });
        await client.close();
      },
    );
    expect(received).toBe(bytes);
  });

  test('an insert that is answered before its rows were sent fails', async () => {
    await withServer(
      (request, response) => {
        request.pause();
        response.end();
        setTimeout(() => request.resume(), 200);
      },
      async (url) => {
        const client = connectClickHouse(url, limits);
        const inserted = client.insert({ ...insertion, rows: Buffer.alloc(12 * 1024 ** 2, '1\n') });
        await expect(inserted).rejects.toBeInstanceOf(StoreUnavailableError);
        await client.close();
      },
    );
  });

  test('an insert ends as soon as its signal fires', async () => {
    let closed = false;
    await withServer(
      (request) => {
        request.resume().on('close', () => {
          closed = true;
        });
      },
      async (url) => {
        const client = connectClickHouse(url, limits);
        const lost = new AbortController();
        const inserted = client.insert({ ...insertion, signal: lost.signal });
        setTimeout(() => lost.abort(), 50);
        await expect(inserted).rejects.toBeInstanceOf(InsertEndedError);
        await vi.waitFor(() => expect(closed).toBe(true), { timeout: 10_000 });
        await expect(client.insert({ ...insertion, signal: lost.signal })).rejects.toThrow(InsertEndedError);
        await client.close();
      },
    );
  });

  test('an overloaded server is unavailable', () =>
    withServer(
      (_, response) =>
        response.writeHead(503).end('Code: 202. DB::Exception: Too many. (TOO_MANY_SIMULTANEOUS_QUERIES)'),
      async (url) => {
        const client = connectClickHouse(url, limits);
        await expect(client.read(query)).rejects.toBeInstanceOf(StoreUnavailableError);
        await client.close();
      },
    ));

  test('a read is retried once after a lost connection, an insert is not', async () => {
    const statistics = { elapsed: 0, rows_read: 1, bytes_read: 1 };
    const oneRow = JSON.stringify({ meta: [{ name: 'one' }], data: [[1]], rows: 1, statistics });
    let reads = 0;
    let inserts = 0;
    await withServer(
      (request, response) => {
        request.resume();
        if (request.url?.includes('INSERT')) inserts++;
        else if (++reads === 2) return void response.end(oneRow);
        request.socket.destroy();
      },
      async (url) => {
        const client = connectClickHouse(url, limits);
        expect(await client.read(query)).toEqual([{ one: 1 }]);
        const insert = client.insert({
          table: 't',
          columns: ['a'],
          rows: Buffer.from('1\n'),
          deduplicationToken: 'x',
        });
        await expect(insert).rejects.toBeInstanceOf(StoreUnavailableError);
        await client.close();
      },
    );
    expect({ reads, inserts }).toEqual({ reads: 2, inserts: 1 });
  });

  test('a server that never answers is a timeout', () =>
    withServer(
      () => {},
      async (url) => {
        const client = connectClickHouse(url, { ...limits, graceMs: 50 });
        await expect(client.read({ ...query, timeoutMs: 50 })).rejects.toBeInstanceOf(StoreTimeoutError);
        await client.close();
      },
    ));
});
