import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './start-engine.js';

let engine: EmbeddedClickHouse;
let directory: string;
let client: ClickHouseClient;
let base: string;
let authorization: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-front-'));
  engine = await startEmbeddedClickHouse({ directory, logger: pino({ level: 'silent' }) });
  client = connect({});
  const url = new URL(engine.url);
  base = `http://${url.host}`;
  authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
});

afterAll(async () => {
  await client?.close();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

function connect(options: Parameters<typeof createClient>[0]): ClickHouseClient {
  return createClient({ url: engine.url, log: { level: ClickHouseLogLevel.OFF }, ...options });
}

const one = async <Row>(query: string) =>
  (await (await client.query({ query, format: 'JSONEachRow' })).json<Row>())[0] as Row;

const post = (path: string, body: string, headers: Record<string, string> = { authorization }) =>
  fetch(`${base}${path}`, { method: 'POST', body, headers });

describe('authentication', () => {
  test.each<[Record<string, string>, number, string]>([
    [{}, 401, '194'],
    [{ authorization: `Basic ${Buffer.from('loglane:wrong').toString('base64')}` }, 403, '516'],
    [{ 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': '' }, 403, '516'],
  ])('refuses %o', async (headers, status, code) => {
    const answer = await post('/', 'SELECT 1', headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-clickhouse-exception-code')).toBe(code);
    expect(await answer.text()).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: `));
  });

  test("accepts ClickHouse's headers, and needs no credentials for /ping", async () => {
    const { username, password } = new URL(engine.url);
    const answer = await post('/', 'SELECT 1', {
      'X-ClickHouse-User': username,
      'X-ClickHouse-Key': password,
    });
    expect(await answer.text()).toBe('1\n');
    expect(await (await fetch(`${base}/ping`)).text()).toBe('Ok.\n');
  });
});

describe('answers', () => {
  test.each([
    ['JSONEachRow', '{"a":1}\n'],
    ['TabSeparatedWithNames', 'a\n1\n'],
    ['CSV', '1\n'],
    ['JSONCompactEachRow', '[1]\n'],
  ])('come in the format that the statement names: %s', async (format, text) => {
    const answer = await post('/?query_id=mine', `SELECT 1 AS a FORMAT ${format}`);
    expect(answer.headers.get('x-clickhouse-format')).toBe(format);
    expect(answer.headers.get('x-clickhouse-query-id')).toBe('mine');
    expect(await answer.text()).toBe(text);
  });

  test('are also sent for SHOW, DESCRIBE, EXPLAIN and EXISTS', async () => {
    expect(await (await post('/', 'EXISTS TABLE nothing')).text()).toBe('0\n');
    expect(await (await post('/', 'DESCRIBE TABLE system.one')).text()).toContain('dummy\tUInt8');
    expect(await (await post('/', 'EXPLAIN SELECT 1')).text()).toContain('ReadFrom');
  });
});

describe('exceptions', () => {
  test.each<[string, string, number]>([
    ['SELEC 1', '62', 400],
    ['SELECT * FROM missing', '60', 404],
    ['SELECT 1; SELECT 2', '62', 400],
    ['SET max_threads = 1', '48', 501],
    ['SELECT 1 SETTINGS no_such_setting = 1', '115', 404],
    ['SELECT sum(number) FROM system.numbers SETTINGS max_execution_time = 1', '159', 408],
    ['SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000', '241', 500],
  ])('%s has code %s', async (query, code, status) => {
    const answer = await post('/', query);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-clickhouse-exception-code')).toBe(code);
    await answer.arrayBuffer();
    await expect(client.command({ query })).rejects.toMatchObject({ code });
  });

  test('have their code after the first blocks of rows, too', async () => {
    const answer = client.query({
      query: 'SELECT throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 1000',
      format: 'JSONEachRow',
    });
    await expect(answer).rejects.toMatchObject({ code: '395' });
  });

  test('refuse features of a server with a reason', async () => {
    const headers = { authorization, 'content-encoding': 'gzip' };
    expect((await post('/?query=SELECT', '1', headers)).headers.get('x-clickhouse-exception-code')).toBe(
      '48',
    );
    await expect(client.query({ query: 'SELECT 1', session_id: 'a' })).rejects.toMatchObject({ code: '36' });
    const elsewhere = connect({ database: 'elsewhere' });
    await expect(elsewhere.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '81' });
    await elsewhere.close();
  });
});

describe('inserts', () => {
  const rows = Array.from({ length: 30_000 }, (_, a) => [a, `text ${a} ${'x'.repeat(40)}`] as const);
  const encoded: [string, Buffer][] = [
    ['TabSeparated', Buffer.from(rows.map((row) => row.join('\t')).join('\n'))],
    ['CSV', Buffer.from(rows.map((row) => row.join(',')).join('\n'))],
    ['JSONCompactEachRow', Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))],
    ['CSVWithNames', Buffer.from(`a,b\n${rows.map((row) => row.join(',')).join('\n')}`)],
    ['Values', Buffer.from(rows.map(([a, b]) => `(${a}, '${b}')`).join(','))],
    ['RowBinary', Buffer.concat(rows.map(([a, b]) => rowBinary(a, b)))],
  ];

  function rowBinary(a: number, b: string): Buffer {
    const head = Buffer.alloc(9);
    head.writeUInt32LE(a);
    head[8] = b.length;
    return Buffer.concat([head, Buffer.from(b)]);
  }

  test.each(encoded)('accept megabytes of %s', async (format, body) => {
    const table = `t_${format}`;
    await client.command({
      query: `CREATE TABLE ${table} (a UInt64, b String) ENGINE = MergeTree ORDER BY a`,
    });
    const { stream, summary } = await client.exec({
      query: `INSERT INTO ${table} (a, b) FORMAT ${format}`,
      values: Readable.from([body], { objectMode: false }),
    });
    stream.resume();
    expect(body.length).toBeGreaterThan(1024 ** 2);
    expect(summary?.written_rows).toBe('30000');
    expect(
      await one(
        `SELECT count() AS n, sum(a) AS s, uniqExact(b) AS u FROM ${table} SETTINGS output_format_json_quote_64bit_integers = 0`,
      ),
    ).toEqual({
      n: 30_000,
      s: (30_000 * 29_999) / 2,
      u: 30_000,
    });
  });

  test('treat a blank line as a row, never as the end of the data', async () => {
    await client.command({ query: 'CREATE TABLE blank (a String) ENGINE = MergeTree ORDER BY a' });
    const { stream } = await client.exec({
      query: 'INSERT INTO blank FORMAT TabSeparated',
      values: Readable.from([Buffer.from('x\n\nCREATE TABLE evil (a Int8) ENGINE = Memory\n')], {
        objectMode: false,
      }),
    });
    stream.resume();
    await client.command({ query: "INSERT INTO blank VALUES ('b\n\nDROP TABLE blank;')" });
    expect(await one('SELECT toUInt32(count()) AS n FROM blank')).toEqual({ n: 4 });
    await expect(client.query({ query: 'SELECT * FROM evil' })).rejects.toMatchObject({ code: '60' });
  });

  test('accept data after the statement in one body', async () => {
    await client.command({ query: 'CREATE TABLE inline (a UInt64, b String) ENGINE = MergeTree ORDER BY a' });
    await client.command({ query: "INSERT INTO inline FORMAT TabSeparated\n1\tit's {a:UInt8}; ü\n2\tb" });
    await client.command({
      query: "INSERT INTO inline VALUES (3, '{a:UInt8};')",
      clickhouse_settings: { max_threads: 1 },
    });
    const answer = await client.query({
      query: 'SELECT b FROM inline ORDER BY a',
      format: 'JSONCompactEachRow',
    });
    expect(await answer.json()).toEqual([["it's {a:UInt8}; ü"], ['b'], ['{a:UInt8};']]);
  });

  test('do not apply their settings to the next statement', async () => {
    await client.command({
      query:
        'CREATE TABLE once (a UInt64) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100',
    });
    const insert = (a: number, token?: string) =>
      client.insert({
        table: 'once',
        values: [{ a }],
        format: 'JSONEachRow',
        ...(token ? { clickhouse_settings: { insert_deduplication_token: token } } : {}),
      });
    await insert(1, 'A');
    await insert(2);
    await insert(3);
    await insert(4, 'A');
    const answer = await client.query({
      query: 'SELECT a FROM once ORDER BY a',
      format: 'JSONCompactEachRow',
    });
    expect(await answer.json()).toEqual([[1], [2], [3]]);
  });

  test('of an insert give threads to its views, those of reads and commands do not; all limit memory', async () => {
    const names = ['max_threads', 'max_threads_min_free_memory_per_thread', 'max_memory_usage'];
    const settings = names.map((name) => `toString(getSetting('${name}'))`).join(`, ' ', `);
    const seen = `concat(${settings}) AS settings`;
    await client.command({ query: 'CREATE TABLE kinds (a UInt8) ENGINE = MergeTree ORDER BY a' });
    await client.command({
      query: `CREATE MATERIALIZED VIEW kinds_seen ENGINE = MergeTree ORDER BY settings AS SELECT ${seen} FROM kinds`,
    });
    await client.insert({ table: 'kinds', values: [{ a: 1 }], format: 'JSONEachRow' });
    const ofInsert = await one<{ settings: string }>('SELECT settings FROM kinds_seen');
    await client.command({ query: 'TRUNCATE TABLE kinds_seen' });
    await client.command({ query: 'INSERT INTO kinds SELECT 2' });
    const ofCommand = await one<{ settings: string }>('SELECT settings FROM kinds_seen');
    const ofRead = await one<{ settings: string }>(`SELECT ${seen}`);
    const memory = String(Math.floor(900 * 1024 ** 2 * 0.8));
    const cores = availableParallelism();
    expect(ofInsert.settings).toBe(`${Math.min(4, cores)} 0 ${memory}`);
    const byDefault = new RegExp(`^\\D*${cores}\\D* ${1024 ** 3} ${memory}$`);
    expect(ofCommand.settings).toMatch(byDefault);
    expect(ofRead.settings).toMatch(byDefault);
  });

  test('of a read (`readonly`) do not apply to a later write', async () => {
    await client.command({ query: 'CREATE TABLE writable (a UInt64) ENGINE = MergeTree ORDER BY a' });
    await client.query({ query: 'SELECT 1', clickhouse_settings: { readonly: '1', max_execution_time: 1 } });
    for (let a = 0; a < 4; a++)
      await client.insert({ table: 'writable', values: [{ a }], format: 'JSONEachRow' });
    expect(await one('SELECT toUInt32(count()) AS n FROM writable')).toEqual({ n: 4 });
  });
});

describe('parallel sessions', () => {
  test('let writes and other reads run during long reads', async () => {
    await client.command({ query: 'CREATE TABLE beside (a UInt64) ENGINE = MergeTree ORDER BY a' });
    const slow = client
      .query({ query: 'SELECT sleep(3)', format: 'JSONEachRow' })
      .then((answer) => answer.text());
    const slowBound = client
      .query({ query: 'SELECT sleep({s:Float64})', query_params: { s: 3 }, format: 'JSONEachRow' })
      .then((answer) => answer.text());
    const order: string[] = [];
    const answered = [slow.then(() => order.push('slow')), slowBound.then(() => order.push('slow, bound'))];
    await sleep(100);
    await client.insert({ table: 'beside', values: [{ a: 1 }], format: 'JSONEachRow' });
    await client.query({ query: 'SELECT {a:UInt8}', query_params: { a: 1 } }).then((answer) => answer.text());
    order.push('write and read');
    await Promise.all(answered);
    expect(order[0]).toBe('write and read');
  });

  test('queue reads if there are more reads than sessions', async () => {
    const many = connect({ max_open_connections: 64 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const answer = await many.query({
          query: 'SELECT {n:UInt32} AS n',
          query_params: { n },
          format: 'JSONEachRow',
        });
        return (await answer.json<{ n: number }>())[0]?.n;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => n));
    await many.close();
  });
});
