import { access, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ClickHouse, connectClickHouse } from '../../../shared/store/client.js';
import { refuseOutside } from './refuse-outside.js';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './start-engine.js';

let directory: string;
let engine: EmbeddedClickHouse;
let clickhouse: ClickHouse;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-reads-'));
  process.env.LOGLANE_TEST_SECRET = 'shown to nobody';
  process.umask(0o022);
  engine = await startEmbeddedClickHouse({
    directory: join(directory, 'store'),
    logger: pino({ level: 'silent' }),
  });
  clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8 });
  await clickhouse.command('CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a');
  await clickhouse.command('INSERT INTO kept VALUES (7)');
});
afterAll(async () => {
  delete process.env.LOGLANE_TEST_SECRET;
  await clickhouse?.close();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

const read = (sql: string, params = {}) =>
  clickhouse.read({ name: 'test', sql, params, row: z.record(z.string(), z.unknown()), timeoutMs: 2_000 });

describe('a read', () => {
  it.each([
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT file('/etc/passwd')",
    "SELECT `file`('/etc/passwd')",
    'SELECT "file" /* a comment */ (\'/etc/passwd\')',
    "SELECT * FROM (SELECT * FROM file('/etc/passwd', 'LineAsString') SETTINGS readonly = 0)",
    "DESCRIBE TABLE file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')",
    "SELECT * FROM s3('http://127.0.0.1:9/a', 'CSV')",
    "SELECT * FROM remote('127.0.0.1:9', system.one)",
    "SELECT * FROM executable('id', 'TSV', 'x String')",
    "WITH 1 AS one SELECT one FROM urlCluster('c', 'http://127.0.0.1:9/', 'CSV')",
  ])('accesses nothing outside the store: %s', async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ code: '164' });
  });

  it('writes no file', async () => {
    const path = join(directory, 'out.txt');
    await expect(read(`SELECT 1 INTO OUTFILE '${path}'`)).rejects.toMatchObject({ code: '164' });
    await expect(access(path)).rejects.toThrow();
  });

  it.each(['INSERT INTO kept VALUES (8)', 'DROP TABLE kept', 'CREATE TABLE more (a UInt8) ENGINE = Memory'])(
    'changes nothing: %s',
    async (sql) => {
      await expect(read(sql)).rejects.toThrow();
      expect(await read('SELECT groupArray(a) AS a FROM kept')).toEqual([{ a: [7] }]);
      expect(await read('EXISTS TABLE more')).toEqual([{ result: 0 }]);
    },
  );

  it('may contain forbidden function names in a text', async () => {
    const name = "file('/etc/passwd') INTO OUTFILE";
    expect(await read('SELECT {name: String} AS name', { name })).toEqual([{ name }]);
    expect(await read("SELECT 'file(' AS name")).toEqual([{ name: 'file(' }]);
  });

  it('does not change the session: a later statement can write', async () => {
    for (let time = 0; time < 8; time++) await read('SELECT 1');
    await clickhouse.command('CREATE TABLE after (a UInt64) ENGINE = MergeTree ORDER BY a');
    await clickhouse.command('INSERT INTO after SELECT 1');
    await clickhouse.command('DROP TABLE after');
  });

  it('can call no function that accesses data outside, in any version of the engine', async () => {
    const [row] = await read('SELECT groupArray(name) AS names FROM system.table_functions');
    const refused = (name: string) => {
      try {
        refuseOutside(`SELECT * FROM ${name}('x')`);
        return false;
      } catch {
        return true;
      }
    };
    // Each was reviewed: they generate rows, or read tables of this store.
    const harmless =
      'SQLStandardValues dictionary format fuzzJSON fuzzQuery generateRandom generateSeries generate_series loop merge mergeTreeAnalyzeIndexes mergeTreeAnalyzeIndexesUUID mergeTreeIndex mergeTreeProjection mergeTreeTextIndex null numbers numbers_mt primes timeSeriesData timeSeriesMetrics timeSeriesSamples timeSeriesSelector timeSeriesTags values view viewExplain viewIfPermitted zeros zeros_mt';
    const unknown = ((row?.names ?? []) as string[]).filter((name) => !refused(name));
    expect(unknown.toSorted()).toEqual(harmless.split(' ').toSorted());
  });
});

describe("the engine's process", () => {
  it('gets no secrets from its parent process', async () => {
    const environment = await readFile(`/proc/${engine.pid()}/environ`, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain('shown to nobody');
  });

  it('writes files that only their owner can read', async () => {
    const entries = await readdir(join(directory, 'store'), { recursive: true, withFileTypes: true });
    expect(entries.length).toBeGreaterThan(10);
    for (const entry of entries) {
      if (entry.isSymbolicLink()) continue;
      const path = join(entry.parentPath, entry.name);
      const mode = await stat(path).then(
        (found) => found.mode,
        // A merge removed the file.
        () => 0,
      );
      expect(mode & 0o077, path).toBe(0);
    }
  });
});
