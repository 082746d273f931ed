import { z } from '@hono/zod-openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../services/api/operation/routes.js';
import { finishCrawl } from '../../services/jobs/crawls/site/finish-crawl.js';
import { healthMetrics } from '../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { insightIdOf, wholeWebsite } from '../../shared/reads/insights/insight-key.js';
import { insertInsight } from '../../shared/reads/insights/insight-rows.js';
import { insertAlert } from '../harness/alerts.js';
import { createTestApi, TEST_NOW, type TestAnswer, type TestApi, uncounted } from '../harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { trafficOf } from '../harness/contract-traffic.js';
import { granted } from '../harness/control-plane.js';
import { insertIntervals } from '../harness/health-points.js';
import { connectAnalytics, storeAnalytics } from '../harness/stored-analytics.js';
import { crawledPage, failed, redirectTo, type StoredCrawl, storeCrawl } from '../harness/stored-crawl.js';
import { insertStored } from '../harness/stored-requests.js';
import { connectSearch, inspectionOf, storeSearch } from '../harness/stored-search.js';
import { connectStripe, type StripeServer, startStripeServer } from '../harness/stripe-server.js';
import { addressOf, type Described, described, document, exampleOf, named, reads } from './described.js';

/** Every operation's answer matches its own schema, with real rows and without: no field is missing, none is extra. */

let engine: TestClickHouse;
let stripe: StripeServer;
let test: TestApi;
let emptyWebsiteId: string;
let segmentId: string;

beforeAll(async () => {
  engine = await startTestClickHouse();
  stripe = await startStripeServer();
  const payments = connectStripe(stripe);
  test = await createTestApi({ clickhouse: engine.clickhouse, payments, usage: uncounted });
  emptyWebsiteId = (
    await test.request('/public/v1/websites', { method: 'POST', body: { domain: 'empty.example' } })
  ).body.website_id;
  segmentId = granted(
    await test.control.execute(
      {
        type: 'createSegment',
        websiteId: test.website.id,
        name: 'Some pages',
        rules: [{ type: 'regex', value: '/page/[0-4]$' }],
      },
      'admin',
    ),
  ).id;
  await storeSearch(engine.clickhouse, await connectSearch(test.control, test.website.id), {
    pages: { '2026-11-18': [{ path: '/page/1', impressions: 9, clicks: 2, position: 3 }] },
    queries: { '2026-11-18': [{ query: 'shop', impressions: 9, clicks: 2, position: 3 }] },
    inspections: ['/page/1', '/page/2'].map((path) => inspectionOf(path, { inspectedAt: TEST_NOW })),
    at: TEST_NOW - HOUR_MS,
  });
  await storeAnalytics(engine.clickhouse, await connectAnalytics(test.control, test.website.id), {
    days: {
      '2026-11-18': { pages: [{ path: '/page/1', sessions: 4 }], sources: [{ source: 'chatgpt.com' }] },
    },
    at: TEST_NOW - HOUR_MS,
  });
  await connectAnalytics(test.control, emptyWebsiteId);
  await connectSearch(test.control, emptyWebsiteId, { property: 'sc-domain:empty.example' });
  await insertStored(engine.clickhouse, trafficOf(test.website.id), { deduplicationToken: 'shop' });
  await insertStored(engine.clickhouse, trafficOf(test.foreignWebsite.id), { deduplicationToken: 'rival' });
  for (const { id: websiteId } of [test.website, test.foreignWebsite]) {
    await insertAlert(engine.clickhouse, { websiteId, occurrences: 2, createdAt: TEST_NOW - 3 * HOUR_MS });
    await insertAlert(engine.clickhouse, { websiteId, type: 'new_bot', createdAt: TEST_NOW - MINUTE_MS });
    const key = { websiteId, ...wholeWebsite };
    await insertInsight(engine.clickhouse, {
      ...{
        ...key,
        id: insightIdOf(key, '2026-11-21'),
        content: 'All is well.',
        model: 'm',
        createdAt: TEST_NOW,
      },
      period: { start: TEST_NOW - 168 * HOUR_MS, end: TEST_NOW },
      ...{ toolsUsed: ['summary'], inputTokens: 1, outputTokens: 1 },
    });
    await readyCrawl(websiteId);
    const points = healthMetrics.map((metric) => ({ metric, start: TEST_NOW - 10 * MINUTE_MS, timed: 8 }));
    await insertIntervals(engine.clickhouse, { websiteId, start: TEST_NOW }, points);
  }
});
afterAll(async () => {
  await stripe?.stop();
  await engine?.stop();
});

/** Parts of a call besides the document's examples; made for each call. */
interface Prepared {
  readonly path?: Record<string, string>;
  readonly body?: unknown;
  /** Without its question mark. */
  readonly query?: string;
  readonly key?: string;
}

const below = (path: string) => `/public/v1/websites/${test.website.id}${path}`;

async function newSegment(): Promise<Prepared> {
  const body = { name: 'Blog', rules: [{ type: 'prefix', value: '/page' }] };
  const { segment } = (await test.request(below('/segments'), { method: 'POST', body })).body;
  return { path: { segment_id: segment.segment_id } };
}

async function doneExport(websiteId: string): Promise<Prepared> {
  const address = `/public/v1/websites/${websiteId}/exports`;
  const { job_id } = (await test.request(address, { method: 'POST', body: { export_type: 'paths' } })).body;
  const { control } = test;
  await control.execute({ type: 'startExport', exportId: job_id, attemptsBefore: 0 }, 'system');
  const file = { key: `${websiteId}/exports/${job_id}/1/paths.csv`, rows: 2, bytes: 40, sha256: 'ab' };
  await control.execute({ type: 'completeExport', exportId: job_id, attempt: 1, file }, 'system');
  return { path: { job_id }, query: 'redirect=false' };
}

/** A website has at most one open crawl. */
async function noOpenCrawl(websiteId: string): Promise<Prepared> {
  for (const { id: crawlId, ...held } of test.control.state().crawls.marked())
    if (held.websiteId === websiteId)
      await test.control.execute({ type: 'cancelCrawl', websiteId, crawlId }, 'system');
  return {};
}

async function readyCrawl(websiteId: string): Promise<void> {
  await noOpenCrawl(websiteId);
  const { id: crawlId } = granted(
    await test.control.execute({ type: 'requestCrawl', websiteId, trigger: 'admin' }, 'system'),
  );
  await test.control.execute({ type: 'startCrawl', crawlId, attemptsBefore: 0 }, 'system');
  await storeCrawl(engine.clickhouse, { websiteId, crawlId }, crawled);
  const store = { reader: engine.clickhouse, writer: engine.clickhouse };
  const counts = await finishCrawl({ websiteId, crawlId }, store);
  const outcome = { status: 'ready', counts, delta: null } as const;
  await test.control.execute({ type: 'endCrawl', crawlId, attempt: 1, outcome }, 'system');
}

/** Pages below /page and others, both with faults. */
const crawled: StoredCrawl = {
  pages: [
    crawledPage(0, '/'),
    crawledPage(1, '/page/1'),
    crawledPage(2, '/page/2', { title: '', titles: 0 }),
    crawledPage(3, '/gone', failed(404)),
    crawledPage(4, '/old', redirectTo('/page/1')),
  ],
  links: [
    [0, 1],
    [0, 3],
    [1, 2],
    [1, 4],
    [2, 0],
  ],
};

const listed = new Set<string>();

const preparations: Record<string, (websiteId: string) => Promise<Prepared>> = {
  // Both are made once: the list is requested twice and must be equal.
  listExports: async (websiteId) => {
    if (!listed.has(websiteId)) await Promise.all([doneExport(websiteId), doneExport(websiteId)]);
    listed.add(websiteId);
    return {};
  },
  async listCrawls(websiteId) {
    if (!listed.has(`crawls of ${websiteId}`)) {
      await readyCrawl(websiteId);
      await readyCrawl(websiteId);
    }
    listed.add(`crawls of ${websiteId}`);
    return {};
  },
  runCrawl: noOpenCrawl,
  async cancelCrawl(websiteId) {
    await noOpenCrawl(websiteId);
    const asked = await test.control.execute({ type: 'requestCrawl', websiteId, trigger: 'admin' }, 'system');
    return { path: { crawl_id: granted(asked).id } };
  },
  createExport: async () => ({ body: { export_type: 'paths', status: '4xx', directory: '/blog/' } }),
  downloadExport: doneExport,
  createWebsite: async () => ({ body: { domain: `https://Shop-${Math.random()}.example.com/start` } }),
  // A Free organisation, and one with a customer.
  startTrial: async () => ({ key: test.keys.free }),
  replaceSegment: newSegment,
  patchSegment: newSegment,
  deleteSegment: newSegment,
  async deleteSiteEvent() {
    const body = { title: 'Relaunch', date: '2026-11-20' };
    const { event } = (await test.request(below('/site-events'), { method: 'POST', body })).body;
    return { path: { event_id: event.event_id } };
  },
  async acknowledgeAlert() {
    const alertId = '2026-11-21T09:00:00.000Z#4f2a9c';
    await insertAlert(engine.clickhouse, { websiteId: test.website.id, alertId });
    return { path: { alert_id: alertId } };
  },
};

const prepare = async (id: string, websiteId: string): Promise<Prepared> =>
  (await preparations[id]?.(websiteId)) ?? {};

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** The answer matches the document for its status, without undocumented fields. */
function expectDocumented({ operation, responses }: Described, answer: TestAnswer): void {
  const response = responses[String(answer.status)];
  expect(response, `${answer.status} of ${operation.id} is not in the document`).toBeDefined();
  const schema = { ...response.content['application/json'].schema, components: document.components };
  const holds = ajv.compile(schema);
  expect(holds(answer.body) ? null : holds.errors).toBeNull();
  if (answer.status >= 300) return;
  // zod drops unknown fields, so a difference is an undocumented field.
  const parsed = answerOf(operation).safeParse(answer.body);
  expect(parsed.error === undefined ? null : z.prettifyError(parsed.error)).toBeNull();
  expect(parsed.data).toEqual(answer.body);
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    expect(answer.headers.get(name), name).not.toBeNull();
}

async function callIt(one: Described, websiteId = test.website.id, asked = ''): Promise<TestAnswer> {
  const { path = {}, body, key, query } = await prepare(one.id, websiteId);
  const both = query === undefined ? asked : `${asked === '' ? '?' : `${asked}&`}${query}`;
  return test.request(addressOf(one, { website_id: websiteId, ...path }, both), {
    method: one.method,
    ...(key === undefined ? {} : { key }),
    ...(one.body === null ? {} : { body: body ?? exampleOf(one.body) }),
  });
}

describe.each(named)('%s', (_id, one) => {
  it('answers as documented', async () => {
    const answer = await callIt(one);
    expect(answer.body?.detail).toBeUndefined();
    expect(one.operation.replies.map(({ status }) => status)).toContain(answer.status);
    expectDocumented(one, answer);
  });

  it.runIf(one.operation.kind === 'website')("shows nothing of another organisation's website", async () => {
    const answer = await callIt(one);
    expect(answer.text).not.toContain(test.foreignWebsite.id);
    expect(answer.text).not.toContain(test.foreignWebsite.domain);
  });
});

describe.each(reads)('%s', (_id, one) => {
  it.runIf(one.operation.kind === 'website')(
    'answers as documented for a website without requests',
    async () => {
      const answer = await callIt(one, emptyWebsiteId);
      expect(answer.status).toBe(200);
      expectDocumented(one, answer);
    },
  );

  it.runIf(one.parameters.some(({ name }) => name === 'segment'))(
    'answers as documented for a segment',
    async () => {
      const answer = await callIt(one, test.website.id, `?segment=${segmentId}`);
      expect(answer.status).toBe(200);
      expectDocumented(one, answer);
      expect(answer.body.data_buffering).toBe(false);
      const whole = await callIt(one);
      expect(answer.body).not.toEqual(whole.body);
    },
  );

  it('cuts its lists at max_rows with the documented mark', async () => {
    const capped = await callIt(one, test.website.id, '?max_rows=1');
    expect(capped.status).toBe(200);
    expectDocumented(one, capped);
    const { _truncated, ...rest } = capped.body;
    for (const value of Object.values(rest)) if (Array.isArray(value)) expect(value.length).toBeLessThan(2);
    const whole = await callIt(one);
    for (const [name, value] of Object.entries(whole.body)) {
      if (!Array.isArray(value)) continue;
      expect(_truncated?.original_counts?.[name], name).toBe(value.length > 1 ? value.length : undefined);
    }
  });
});

it.each(['?view=incidents', '?hours=24', '?start=2026-11-20&end=2026-11-21&page_size=1'])(
  'alerts with %s are answered as documented',
  async (query) => {
    const one = described.find(({ id }) => id === 'listAlerts')!;
    const answer = await callIt(one, test.website.id, query);
    expect(answer.status).toBe(200);
    expect(answer.body.count).toBeGreaterThan(0);
    expectDocumented(one, answer);
    expect(answer.text).not.toContain(test.foreignWebsite.id);
  },
);

describe('documented refusals', () => {
  it.each([
    'replaceSegment',
    'patchSegment',
    'deleteSegment',
    'deleteSiteEvent',
    'acknowledgeAlert',
    'cancelCrawl',
  ])('%s with an unknown id is a documented 404', async (id) => {
    const one = described.find((each) => each.id === id)!;
    const answer = await test.request(addressOf(one, { website_id: test.website.id }), {
      method: one.method,
      ...(one.body === null ? {} : { body: exampleOf(one.body) }),
    });
    // The alert of the document's example was made above; this one does not exist.
    const missing =
      id === 'acknowledgeAlert'
        ? await test.request(below('/alerts/none/acknowledge'), { method: 'POST' })
        : answer;
    expect(missing.status).toBe(404);
    expectDocumented(one, missing);
  });

  it('a second trial, an existing domain and the present plan are documented conflicts', async () => {
    const conflict = async (id: string, call: () => Promise<TestAnswer>) => {
      const one = described.find((each) => each.id === id)!;
      let answer = await call();
      if (answer.status === 200) answer = await call();
      expect(answer.status).toBe(409);
      expectDocumented(one, answer);
      return answer.body;
    };
    const post =
      (path: string, body: unknown, key = test.keys.free) =>
      () =>
        test.request(`/public/v1${path}`, { method: 'POST', body, key });
    expect(await conflict('startTrial', post('/billing/trial', { plan_id: 'starter' }))).toMatchObject({
      code: 'trial_used_by_organisation',
    });
    const domain = { domain: test.website.domain };
    await conflict('createWebsite', post('/websites', domain, test.keys.readWrite));
  });
});
