import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExports } from '../../services/jobs/exports/open-exports.js';
import { followLists } from '../../shared/crawlers/follow-lists.js';
import { openLocalFiles } from '../../shared/files/local-files.js';
import { firstFetchDay } from '../../shared/reads/bots/search-crawler-fetches.js';
import { exportTypes } from '../../shared/reads/exports/all-export-types.js';
import { createTestApi, TEST_NOW, type TestApi } from '../harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { insertStored, storedRequest } from '../harness/stored-requests.js';

/** From the request of an export to the bytes of its file, on the engine and a folder. */

let engine: TestClickHouse;
let api: TestApi;
let directory: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  engine = await startTestClickHouse();
  directory = await mkdtemp(join(tmpdir(), 'loglane-exports-'));
  const local = await openLocalFiles(directory, 'https://api.example');
  api = await createTestApi({ clickhouse: engine.clickhouse, files: { store: local, local } });
  const paths = ['/a', '/a', '=cmd()', '＋full', '/b?'];
  await insertStored(
    engine.clickhouse,
    paths.map((path, index) =>
      storedRequest({
        website_id: api.website.id,
        path,
        timestamp: TEST_NOW - 60_000 * (index + 1),
        received_at: TEST_NOW,
        log_index: index,
      }),
    ),
    { deduplicationToken: 'exports' },
  );
  const assignment = { partition: 0, isReady: true, leaving: new AbortController() };
  openExports(
    {
      config: { FETCH_WEBSITES: false, EXPORTS_MAX_FILE_BYTES: 1024 ** 3 },
      now: api.options.now,
      logger: pino({ level: 'silent' }),
      registry: new Registry(),
      newId: randomUUID,
      onStop: (stop: () => Promise<void>) => void stops.push(stop),
    } as never,
    {
      ...{ clickhouse: engine.clickhouse, control: api.control, store: local },
      lists: followLists({
        reader: engine.clickhouse,
        now: api.options.now,
        logger: pino({ level: 'silent' }),
      }),
      assignmentOf: () => assignment,
    },
  );
});

afterAll(async () => {
  for (const stop of stops) await stop();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function exported(body: object) {
  const asked = await api.read('/exports', { method: 'POST', body });
  expect(asked.status).toBe(201);
  for (let tries = 0; tries < 200; tries++) {
    const { exports } = (await api.read('/exports')).body;
    const job = exports.find(({ job_id }: { job_id: string }) => job_id === asked.body.job_id);
    if (job.completed_at !== null) return { asked: asked.body, job };
    await new Promise((turn) => setTimeout(turn, 100));
  }
  throw new Error('it was not made');
}

async function fetched(url: string) {
  const { pathname, search } = new URL(url);
  return api.api.request(`${pathname}${search}`);
}

test('only given filters are reported as ignored, for every type', async () => {
  for (const { name } of exportTypes) {
    const pattern = name === 'url-pattern-urls' ? { pattern: '/a/{slug}' } : {};
    const body = { export_type: name, notify: false, ...pattern };
    const { body: asked } = await api.read('/exports', { method: 'POST', body });
    expect([name, asked.status, asked.ignored_filters]).toEqual([name, 'pending', undefined]);
  }
});

test('an export is requested, listed, and fetched by its link, with a manifest of that file', async () => {
  const { asked, job } = await exported({ export_type: 'paths', directory: '/a/', notify: false });
  expect(asked).toMatchObject({ status: 'pending', ignored_filters: ['directory'] });
  expect(job).toMatchObject({ status: 'completed', row_count: 4, error: null, export_type: 'paths' });
  const moved = await api.read(`/exports/${job.job_id}/download`);
  expect(moved.status).toBe(302);
  const answer = await fetched(moved.headers.get('location')!);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="paths-[\d-]+\.csv"$/);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(job.file_size_bytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.sha256);
  const lines = bytes.toString().split('\r\n');
  expect(lines[0]).toMatch(/^"path","requests","share_pct"/);
  expect(lines.slice(1, 5).map((line) => line.split(',').slice(0, 2))).toEqual([
    ['"/a"', '2'],
    ['"/b?"', '1'],
    [`"'=cmd()"`, '1'],
    [`"'＋full"`, '1'],
  ]);
  const told = (await api.read(`/exports/${job.job_id}/download?redirect=false`)).body;
  const manifest = (await (await fetched(told.manifest_url)).json()) as { columns: string[] };
  expect(manifest).toMatchObject({ rows: 4, sha256: job.sha256, bytes: bytes.length, export_type: 'paths' });
  expect(manifest.columns[0]).toBe('path');
});

async function manifestOf(job_id: string) {
  const told = (await api.read(`/exports/${job_id}/download?redirect=false`)).body;
  return (await (await fetched(told.manifest_url)).json()) as {
    filters: Record<string, unknown>;
    window: { start: string; end: string };
  };
}

test.each([
  [
    { export_type: 'recommendations-paths-404', countries: 'DE', status: '4xx' },
    ['countries', 'status'],
    { format: 'csv', compression: 'none' },
  ],
  [
    { export_type: 'requests', bot: 'Googlebot', bot_scope: 'ai', format: 'parquet', compression: 'gzip' },
    ['bot_scope', 'compression'],
    { bot: 'Googlebot', format: 'parquet' },
  ],
  [
    { export_type: 'paths', segment: 'seg_1', verified: true, hours: 48 },
    ['segment', 'verified'],
    { hours: 48, format: 'csv', compression: 'none' },
  ],
])(
  'for %j the answer, the list and the manifest name the effective filters',
  async (body, ignored, filters) => {
    const { asked, job } = await exported({ ...body, notify: false });
    const manifest = await manifestOf(job.job_id);
    expect([...asked.ignored_filters].sort()).toEqual([...ignored].sort());
    for (const told of [{ ...job, filters: JSON.parse(job.filters) }, manifest]) {
      expect(told.filters).toEqual(filters);
      expect([...told.ignored_filters].sort()).toEqual([...ignored].sort());
    }
    expect(job.description).not.toContain('status 4xx');
    expect(job.description).not.toContain('bot_scope');
  },
);

test('sitemap coverage is the current state for any window', async () => {
  const { asked, job } = await exported({
    export_type: 'sitemap-coverage',
    start: '2026-01-01',
    end: '2026-01-02',
    notify: false,
  });
  expect(asked.ignored_filters).toEqual(['start', 'end']);
  const { window } = await manifestOf(job.job_id);
  expect(Math.abs(Date.parse(window.end) - TEST_NOW)).toBeLessThan(60_000);
  expect(Date.parse(window.start)).toBe(firstFetchDay(TEST_NOW));
});

test('the list has pages, with each export on one of them', async () => {
  const all = (await api.read('/exports?page_size=500')).body;
  expect(all.total).toBe(all.exports.length);
  const first = (await api.read('/exports?page_size=2')).body;
  const second = (await api.read('/exports?page_size=2&page=2')).body;
  const ids = [...first.exports, ...second.exports].map(({ job_id }) => job_id);
  expect(ids).toEqual(all.exports.slice(0, 4).map(({ job_id }: { job_id: string }) => job_id));
});

test('a part of a file is fetched by its range, unless the file has changed', async () => {
  const { job } = await exported({ export_type: 'paths', notify: false });
  const { pathname, search } = new URL(job.download_url);
  const ask = (headers: Record<string, string>, method = 'GET') =>
    api.api.request(`${pathname}${search}`, { headers, method });
  const whole = await (await ask({})).text();
  const etag = `"${job.sha256}"`;
  const part = await ask({ Range: 'bytes=5-9', 'If-Range': etag });
  expect([
    part.status,
    await part.text(),
    part.headers.get('content-range'),
    part.headers.get('etag'),
  ]).toEqual([206, whole.slice(5, 10), `bytes 5-9/${job.file_size_bytes}`, etag]);
  const other = await ask({ Range: 'bytes=5-9', 'If-Range': '"other"' });
  expect([other.status, await other.text()]).toEqual([200, whole]);
  const beyond = await ask({ Range: `bytes=${job.file_size_bytes}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
    416,
    `bytes */${job.file_size_bytes}`,
  ]);
  const head = await ask({ Range: 'bytes=5-9' }, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(job.file_size_bytes)]);
  const held = await Promise.all([1, 2, 3, 4].map(() => ask({})));
  const refused = await ask({});
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  await Promise.all(held.map((each) => each.body!.cancel()));
  expect(await (await ask({})).text()).toBe(whole);
});

test('other callers neither see nor fetch it', async () => {
  const { job } = await exported({
    export_type: 'requests',
    format: 'ndjson',
    compression: 'gzip',
    notify: false,
  });
  const { key } = { key: api.keys.read };
  expect((await api.read('/exports', { key })).body.exports).toEqual([]);
  expect((await api.read(`/exports/${job.job_id}/download`, { key })).status).toBe(404);
  const link = job.download_url.replace(/signature=[\w-]{5}/, 'signature=AAAAA');
  expect((await fetched(link)).status).toBe(404);
});

test('a pattern without URLs is reported as the reason', async () => {
  const { job } = await exported({ export_type: 'url-pattern-urls', pattern: '/no/{slug}', notify: false });
  expect(job).toMatchObject({ status: 'failed', download_url: null });
  expect(job.error).toContain('No URL of the window has the pattern');
  const answer = await api.read(`/exports/${job.job_id}/download`);
  expect([answer.status, answer.body.code]).toEqual([409, 'failed']);
});

test.each([
  [{}, 'export_type'],
  [{ export_type: 'constructor' }, 'export_type'],
  [{ export_type: 'paths', hours: 0 }, 'hours'],
  [{ export_type: 'paths', status: '__proto__' }, 'status'],
  [{ export_type: 'paths', start: '2026-02-30', end: '2026-03-01' }, 'start'],
  [{ export_type: 'paths', countries: 'Germany' }, 'countries'],
  [{ export_type: 'paths', host: 'https://shop.example.com/' }, 'host'],
  [{ export_type: 'url-pattern-urls' }, 'pattern'],
  [{ export_type: 'paths', path_filter: 'x'.repeat(3_000) }, 'path_filter'],
  [{ export_type: 'paths', path_filter: 'a\u0000b' }, 'path_filter'],
  [{ export_type: 'paths', bot: 'a\nb' }, 'bot'],
  [{ export_type: 'crawl-budget-urls', directory: '/a\tb' }, 'directory'],
  [{ export_type: 'url-pattern-urls', pattern: '/a\u0001' }, 'pattern'],
  [{ export_type: 'paths', path_filter: '"'.repeat(2_000), bot: 'b' }, 'path_filter'],
  [{ export_type: 'requests', filter: 'stale' }, 'filter: expected one of all, verified'],
  [{ export_type: 'sitemap-coverage', filter: 'slowest' }, 'filter: expected one of all, never_crawled'],
  [{ export_type: 'paths', start: '2026-01-01' }, 'start: needs end'],
  [{ export_type: 'paths', end: '2026-01-01', hours: 24 }, 'end: needs start'],
  [{ export_type: 'sitemap-coverage', start: '2026-01-01' }, 'start: needs end'],
  [{ export_type: 'seo-requests', filter: '4xx', status: 500 }, 'filter: 4xx differs from the other status'],
  [{ export_type: 'paths', status: 404, status_code: 500 }, 'status_code: differs from status'],
  [{ export_type: 'paths', status: 404, status_category: '5xx' }, 'status_category: differs from status'],
])('%j is refused with the name of the field', async (body, field) => {
  const answer = await api.read('/exports', { method: 'POST', body });
  expect([answer.status, answer.body.detail.slice(0, field.length)]).toEqual([400, field]);
});

test('a read key can not request one', async () => {
  const answer = await api.read('/exports', {
    method: 'POST',
    body: { export_type: 'paths' },
    key: api.keys.read,
  });
  expect(answer.status).toBe(403);
});
