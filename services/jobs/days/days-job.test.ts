import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { ExportSchedule } from '../../../shared/control/domain/model.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { daysJob } from './days-job.js';
import { daysToLookAt } from './days-to-look-at.js';
import type { DaysDeps } from './store-day.js';

const NOW = Date.UTC(2026, 10, 22, 2);
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

let files: Map<string, string>;
/** Rows by day. */
let rows: Map<number, { rows: number; newest: number; unaddressed?: number }>;
let schedule: ExportSchedule | undefined;
let erased: boolean;
let createdAt: string;
/** Rows that the replica which returns a file lacks. */
let missing: number;
let made: string[];
let logged: { msg: string }[];
/** The number of the put after which its process dies; infinite: none. */
let lastPut: number;

beforeEach(() => {
  files = new Map();
  rows = new Map();
  schedule = { id: 'web_1', format: 'parquet', from: '2026-11-20', createdAt: '' };
  erased = false;
  createdAt = '2026-11-01T10:00:00Z';
  missing = 0;
  made = [];
  logged = [];
  lastPut = Number.POSITIVE_INFINITY;
});

const store: FileStore = {
  async put(key, bytes) {
    const whole = String(await buffer(bytes));
    if (lastPut-- <= 0) throw new Error('killed');
    files.set(key, whole);
  },
  stat: async (key) => (files.has(key) ? { key, bytes: files.get(key)!.length, modifiedAt: 0 } : null),
  open: async (key) => Readable.from([files.get(key)!]),
  link: async () => '',
  async *list(prefix) {
    for (const [key, { length }] of [...files])
      if (key.startsWith(prefix)) yield { key, bytes: length, modifiedAt: 0 };
  },
  remove: async (key) => void files.delete(key),
};

const rowsOf = (params: object) => ({
  ...{ rows: 0, newest: 0, unaddressed: 0 },
  ...rows.get((params as { start: number }).start),
});
const clickhouse = {
  read: async ({ params, row }) => [row.parse(rowsOf(params))],
  async readFile({ params, format }) {
    const logged = rowsOf(params);
    made.push(new Date((params as { start: number }).start).toISOString().slice(0, 10));
    const answered = logged.rows - missing;
    return { rows: answered, bytes: Readable.from([`${format} ${answered}`]) };
  },
} as DaysDeps['clickhouse'];

function run(now = NOW) {
  const job = daysJob({
    store,
    scheduleOf: () => schedule,
    retentionDaysOf: () => 30,
    isThere: () => !erased,
    keepsAddresses: () => true,
    rulesVersion: () => 'v1',
  });
  const { signal } = new AbortController();
  const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) });
  return job.run({ id: 'web_1', createdAt }, { clickhouse, now: () => now, signal, logger });
}

const FILE = (date: string) => `web_1/requests/date=${date}/requests.parquet`;
const MANIFEST = (date: string) => `web_1/requests/date=${date}/_manifest.json`;

test('each finished day is stored once, with a manifest that describes it', async () => {
  rows.set(day('2026-11-21'), { rows: 3, newest: 5 });
  await run();
  expect([...files.keys()].sort()).toEqual(
    ['2026-11-20', '2026-11-21'].flatMap((date) => [MANIFEST(date), FILE(date)]),
  );
  expect(files.get(FILE('2026-11-21'))).toBe('Parquet 3');
  expect(JSON.parse(files.get(MANIFEST('2026-11-21'))!)).toMatchObject({ rows: 3, file: 'requests.parquet' });
  await run();
  expect(made).toEqual(['2026-11-21', '2026-11-20']);
});

test('a recent day is stored again after late or erased rows, an older one is not', async () => {
  await run();
  made = [];
  rows.set(day('2026-11-21'), { rows: 1, newest: 9 });
  await run();
  rows.set(day('2026-11-21'), { rows: 1, newest: 10 });
  await run();
  rows.set(day('2026-11-21'), { rows: 0, newest: 0 });
  await run();
  expect(made).toEqual(['2026-11-21', '2026-11-21', '2026-11-21']);
  schedule = { ...schedule!, from: '2026-11-21' };
  rows.set(day('2026-11-21'), { rows: 7, newest: 11 });
  made = [];
  await run(NOW + 7 * DAY_MS);
  expect(made).not.toContain('2026-11-21');
});

test('after a kill at any file, the next run completes the day', async () => {
  schedule = { ...schedule!, from: '2026-11-21' };
  rows.set(day('2026-11-21'), { rows: 3, newest: 5 });
  for (const number of [0, 1]) {
    files.clear();
    lastPut = number;
    await expect(run()).rejects.toThrow('killed');
    lastPut = Number.POSITIVE_INFINITY;
    await run();
    expect([...files.keys()].sort()).toEqual([MANIFEST('2026-11-21'), FILE('2026-11-21')]);
  }
});

test('a file that differs from its manifest is stored again', async () => {
  schedule = { ...schedule!, from: '2026-11-21' };
  rows.set(day('2026-11-21'), { rows: 3, newest: 5 });
  await run();
  files.set(FILE('2026-11-21'), 'Parquet of another process');
  await run();
  expect(files.get(FILE('2026-11-21'))).toBe('Parquet 3');
  files.delete(FILE('2026-11-21'));
  await run();
  expect(files.get(FILE('2026-11-21'))).toBe('Parquet 3');
});

test('a day from before the website was created has a file only if it has rows', async () => {
  createdAt = '2026-11-21T09:00:00Z';
  schedule = { ...schedule!, from: '2026-11-18' };
  rows.set(day('2026-11-19'), { rows: 2, newest: 5 });
  await run();
  expect([...files.keys()].sort()).toEqual(
    ['2026-11-19', '2026-11-21'].flatMap((date) => [MANIFEST(date), FILE(date)]),
  );
  // The stored file stays, even if the day's rows were erased.
  rows.delete(day('2026-11-19'));
  await run();
  expect(files.get(FILE('2026-11-19'))).toBe('Parquet 0');
});

test('an older day without a file is stored at the next run, one with another length within a day', async () => {
  schedule = { ...schedule!, from: '2026-11-20' };
  rows.set(day('2026-11-20'), { rows: 3, newest: 5 });
  await run();
  const later = NOW + 10 * DAY_MS;
  await run(later);
  files.delete(FILE('2026-11-20'));
  made = [];
  await run(later);
  expect([made, files.get(FILE('2026-11-20'))]).toEqual([['2026-11-20'], 'Parquet 3']);
  files.set(FILE('2026-11-20'), 'Parquet, cut');
  for (let hours = 0; hours < 24; hours += 3) await run(later + hours * HOUR_MS);
  expect(files.get(FILE('2026-11-20'))).toBe('Parquet 3');
  expect(made.filter((date) => date === '2026-11-20')).toHaveLength(2);
});

test('a complete older day is not changed, even in another format', async () => {
  schedule = { ...schedule!, format: 'csv' };
  await run();
  schedule = { ...schedule!, format: 'parquet', from: '2026-11-20' };
  const later = NOW + 10 * DAY_MS;
  made = [];
  for (let hours = 0; hours < 24; hours += 3) await run(later + hours * HOUR_MS);
  expect(made).not.toContain('2026-11-20');
  expect(files.has('web_1/requests/date=2026-11-20/requests.csv.gz')).toBe(true);
});

test('a day whose file and rows are missing is reported', async () => {
  await run();
  files.delete(FILE('2026-11-20'));
  await run(NOW + 60 * DAY_MS);
  expect(logged).toMatchObject([{ days: 1, first: 'web_1/requests/date=2026-11-20/' }]);
  expect(files.has(FILE('2026-11-20'))).toBe(false);
});

test('the manifest has whether the file has addresses', async () => {
  const ipsOf = async (given: { rows: number; unaddressed: number }) => {
    rows.set(day('2026-11-21'), { newest: given.rows, ...given });
    await run();
    return JSON.parse(files.get(MANIFEST('2026-11-21'))!).client_ips;
  };
  expect(await ipsOf({ rows: 3, unaddressed: 0 })).toBe(true);
  expect(await ipsOf({ rows: 4, unaddressed: 1 })).toBe(true);
  expect(await ipsOf({ rows: 5, unaddressed: 5 })).toBe(false);
});

test('a day is stored again when its addresses are kept for fewer days', async () => {
  schedule = { ...schedule!, from: '2026-11-21' };
  rows.set(day('2026-11-21'), { rows: 3, newest: 5 });
  await run();
  rows.set(day('2026-11-21'), { rows: 3, newest: 5, unaddressed: 3 });
  await run();
  expect(made).toHaveLength(2);
});

test('a file of another format is removed, even if an earlier removal was interrupted', async () => {
  schedule = { ...schedule!, from: '2026-11-21' };
  await run();
  files.set('web_1/requests/date=2026-11-21/requests.csv.gz', 'left');
  await run();
  expect([...files.keys()].sort()).toEqual([MANIFEST('2026-11-21'), FILE('2026-11-21')]);
});

test('another format replaces the file of a recent day', async () => {
  schedule = { ...schedule!, from: '2026-11-21' };
  await run();
  schedule = { ...schedule!, format: 'ndjson' };
  await run();
  expect([...files.keys()].sort()).toEqual([
    MANIFEST('2026-11-21'),
    'web_1/requests/date=2026-11-21/requests.ndjson.gz',
  ]);
});

test('files that are stored while the website is erased are removed', async () => {
  erased = true;
  await run();
  expect(files.size).toBe(0);
});

test('a website without a schedule has no such job', async () => {
  schedule = undefined;
  await run();
  expect(made).toEqual([]);
});

test('a day is stored from two hours after its end until its retention ends', () => {
  const from = { from: '2026-01-01' };
  const days = daysToLookAt(from, { now: NOW - 1, retentionDays: 30 }).map(({ at }) => at);
  expect(days[0]).toBe(day('2026-11-20'));
  expect(daysToLookAt(from, { now: NOW, retentionDays: 30 })[0]).toEqual({
    at: day('2026-11-21'),
    isRecent: true,
  });
  expect(days.at(-1)).toBe(day('2026-10-24'));
  expect(daysToLookAt({ from: '2026-11-22' }, { now: NOW + 10 * HOUR_MS, retentionDays: 30 })).toEqual([]);
});

test('a day for which a lagging replica returned too few rows is not stored, and the next run makes it', async () => {
  schedule = { ...schedule!, from: '2026-11-21' };
  rows.set(day('2026-11-21'), { rows: 10, newest: 5 });
  missing = 3;
  await expect(run()).rejects.toThrow('7 of 10 rows of the day');
  expect([...files.keys()]).toEqual([]);
  missing = 0;
  await run();
  expect(files.get(FILE('2026-11-21'))).toBe('Parquet 10');
  // A manifest with fewer rows than the day had.
  files.set(MANIFEST('2026-11-21'), files.get(MANIFEST('2026-11-21'))!.replace('"rows": 10', '"rows": 7'));
  await run();
  expect(made).toEqual(['2026-11-21', '2026-11-21', '2026-11-21']);
});
