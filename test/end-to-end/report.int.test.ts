import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExports } from '../../services/jobs/exports/open-exports.js';
import { followLists } from '../../shared/crawlers/follow-lists.js';
import { DAY_MS } from '../../shared/durations.js';
import { openLocalFiles } from '../../shared/files/local-files.js';
import { createTestApi, TEST_NOW, type TestApi } from '../harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../harness/stored-requests.js';

/** From the request of a report to its two files, on the engine and a folder. */

let engine: TestClickHouse;
let api: TestApi;
let directory: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  engine = await startTestClickHouse();
  directory = await mkdtemp(join(tmpdir(), 'loglane-report-'));
  const local = await openLocalFiles(directory, 'https://api.example');
  api = await createTestApi({ clickhouse: engine.clickhouse, files: { store: local, local } });
  const rows = Array.from({ length: 40 }, (_, index) =>
    storedRequest({
      ...googlebot,
      website_id: api.website.id,
      path: index < 10 ? '/<script>#import "x"' : '/kept',
      status: index < 10 ? 500 : 200,
      timestamp: TEST_NOW - 2 * DAY_MS - 60_000 * index,
      received_at: TEST_NOW,
      log_index: index,
    }),
  );
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'report' });
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

async function fetched(url: string) {
  const { pathname, search } = new URL(url);
  return api.api.request(`${pathname}${search}`);
}

async function reported(body: object, key = api.keys.readWrite) {
  const asked = await api.read('/reports/seo', { method: 'POST', body, key });
  expect(asked).toMatchObject({ status: 201, body: { status: 'pending' } });
  for (let tries = 0; tries < 600; tries++) {
    const { exports } = (await api.read('/exports', { key })).body;
    const job = exports.find(({ job_id }: { job_id: string }) => job_id === asked.body.job_id);
    if (job.completed_at !== null) return job;
    await new Promise((turn) => setTimeout(turn, 100));
  }
  throw new Error('it was not made');
}

test('a report is listed as seo-report; its PDF and its HTML page have the same findings', async () => {
  const job = await reported({ period_days: 7, prepared_for: '#import "a" <b>' });
  expect(job).toMatchObject({ export_type: 'seo-report', status: 'completed', error: null });
  const moved = await api.read(`/exports/${job.job_id}/download`);
  const pdf = Buffer.from(await (await fetched(moved.headers.get('location')!)).arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(job.sha256);
  const page = await api.read(`/exports/${job.job_id}/download?file=html`);
  expect(page.status).toBe(302);
  const html = await (await fetched(page.headers.get('location')!)).text();
  expect(html).toContain('Prepared for <bdi>#import &quot;a&quot; &lt;b&gt;</bdi>');
  expect(html).toContain('/&lt;script&gt;#import &quot;x&quot;');
  expect(html).not.toContain('<script');
  expect(html.match(/<article class="finding/g)).toHaveLength(job.row_count);
  const told = (await api.read(`/exports/${job.job_id}/download?redirect=false`)).body;
  expect(await (await fetched(told.html_url)).text()).toBe(html);
  const manifest = await (await fetched(told.manifest_url)).json();
  expect(manifest).toMatchObject({
    sha256: job.sha256,
    html: { bytes: Buffer.byteLength(html), sha256: createHash('sha256').update(html).digest('hex') },
  });
});

test('a read-only key gets a report with the same figures as reads of that window', async () => {
  const key = api.keys.read;
  const job = await reported({ period_days: 7 }, key);
  const end = new Date(Math.floor(TEST_NOW / DAY_MS) * DAY_MS - 1).toISOString();
  const start = new Date(Math.floor(TEST_NOW / DAY_MS) * DAY_MS - 7 * DAY_MS).toISOString();
  const seo = (await api.read(`/seo?start=${start}&end=${end}`)).body;
  expect(seo.crawler_requests).toBe(40);
  const page = await api.read(`/exports/${job.job_id}/download?file=html`, { key });
  const html = await (await fetched(page.headers.get('location')!)).text();
  expect(html).toContain('<dt>From search crawlers</dt><dd><b>40</b>');
  expect(html).toContain('10 requests from search crawlers returned a server error (5xx): 25 % of 40.');
  expect(html).toContain('1 day of 7 has logs:');
  // No detector runs here.
  expect(html).toMatch(/The logs of \d hours? are not yet evaluated for alerts\./);
});

test.each([
  [{ period_days: 3 }, 7],
  [{ period_days: 1_000_000 }, 90],
  [{}, 30],
])('the period of %j is %i whole finished days', async (body, days) => {
  const job = await reported(body);
  const last = new Date(Math.floor(TEST_NOW / DAY_MS) * DAY_MS - DAY_MS).toISOString().slice(0, 10);
  const first = new Date(Date.parse(last) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  expect(job.description).toBe(`Technical SEO report, ${first} to ${last}`);
});

test.each([
  [{ period_days: 30.5 }, 'period_days'],
  [{ period_days: '30' }, 'period_days'],
  [{ prepared_for: 'x'.repeat(121) }, 'prepared_for'],
  [{ prepared: 'x' }, 'prepared'],
])('%j is refused, and does not count as a report', async (body, named) => {
  const answer = await api.read('/reports/seo', { method: 'POST', body });
  expect(answer.status).toBe(400);
  expect(answer.body.detail).toContain(named);
});

test('other exports have no page', async () => {
  const { job_id } = (
    await api.read('/exports', { method: 'POST', body: { export_type: 'paths', notify: false } })
  ).body;
  let answer = await api.read(`/exports/${job_id}/download?file=html`);
  for (let tries = 0; tries < 200 && answer.status === 409; tries++) {
    await new Promise((turn) => setTimeout(turn, 100));
    answer = await api.read(`/exports/${job_id}/download?file=html`);
  }
  expect(answer.status).toBe(400);
});

test('the eleventh report of a month is refused with limit and reset_at', async () => {
  const ask = () => api.read('/reports/seo', { method: 'POST', body: { notify: false } });
  const answers = [];
  for (let asked = 0; asked < 11; asked++) answers.push(await ask());
  const refused = answers.filter(({ status }) => status === 429);
  // Five were requested above.
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(refused[0]!.body).toMatchObject({ limit: 10, reset_at: '2026-12-01T00:00:00.000Z' });
  expect(Number(refused[0]!.headers.get('Retry-After'))).toBeGreaterThan(0);
});
