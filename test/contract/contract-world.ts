import { finishCrawl } from '../../services/jobs/crawls/site/finish-crawl.js';
import { healthMetrics } from '../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { insightIdOf, wholeWebsite } from '../../shared/reads/insights/insight-key.js';
import { insertInsight } from '../../shared/reads/insights/insight-rows.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { insertAlert } from '../harness/alerts.js';
import { createTestApi, TEST_NOW, type TestApi, uncounted } from '../harness/api.js';
import { startTestClickHouse } from '../harness/clickhouse.js';
import { trafficOf } from '../harness/contract-traffic.js';
import { granted } from '../harness/control-plane.js';
import { insertIntervals } from '../harness/health-points.js';
import { connectAnalytics, storeAnalytics } from '../harness/stored-analytics.js';
import { crawledPage, failed, redirectTo, type StoredCrawl, storeCrawl } from '../harness/stored-crawl.js';
import { insertStored } from '../harness/stored-requests.js';
import { connectSearch, inspectionOf, storeSearch } from '../harness/stored-search.js';
import { connectStripe, startStripeServer } from '../harness/stripe-server.js';

/** An API in which every operation has something to answer: two websites with data of every kind, and an empty one. */
export interface ContractWorld {
  readonly test: TestApi;
  readonly clickhouse: ClickHouse;
  readonly emptyWebsiteId: string;
  readonly segmentId: string;
  stop(): Promise<void>;
}

export async function startContractWorld(): Promise<ContractWorld> {
  const engine = await startTestClickHouse();
  const stripe = await startStripeServer();
  const stop = async () => {
    await stripe.stop();
    await engine.stop();
  };
  try {
    const { clickhouse } = engine;
    const test = await createTestApi({ clickhouse, payments: connectStripe(stripe), usage: uncounted });
    return { test, clickhouse, stop, ...(await fill(test, clickhouse)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(test: TestApi, clickhouse: ClickHouse) {
  const emptyWebsiteId: string = (
    await test.request('/public/v1/websites', { method: 'POST', body: { domain: 'empty.example' } })
  ).body.website_id;
  const segment = await test.control.execute(
    {
      type: 'createSegment',
      websiteId: test.website.id,
      name: 'Some pages',
      rules: [{ type: 'regex', value: '/page/[0-4]$' }],
    },
    'admin',
  );
  await storeSearch(clickhouse, await connectSearch(test.control, test.website.id), {
    pages: { '2026-11-18': [{ path: '/page/1', impressions: 9, clicks: 2, position: 3 }] },
    queries: { '2026-11-18': [{ query: 'shop', impressions: 9, clicks: 2, position: 3 }] },
    inspections: ['/page/1', '/page/2'].map((path) => inspectionOf(path, { inspectedAt: TEST_NOW })),
    at: TEST_NOW - HOUR_MS,
  });
  await storeAnalytics(clickhouse, await connectAnalytics(test.control, test.website.id), {
    days: {
      '2026-11-18': { pages: [{ path: '/page/1', sessions: 4 }], sources: [{ source: 'chatgpt.com' }] },
    },
    at: TEST_NOW - HOUR_MS,
  });
  await connectAnalytics(test.control, emptyWebsiteId);
  await connectSearch(test.control, emptyWebsiteId, { property: 'sc-domain:empty.example' });
  await insertStored(clickhouse, trafficOf(test.website.id), { deduplicationToken: 'shop' });
  await insertStored(clickhouse, trafficOf(test.foreignWebsite.id), { deduplicationToken: 'rival' });
  for (const { id } of [test.website, test.foreignWebsite]) await storeFindings(test, clickhouse, id);
  return { emptyWebsiteId, segmentId: granted(segment).id };
}

/** Alerts, an insight, a crawl and health points. */
async function storeFindings(test: TestApi, clickhouse: ClickHouse, websiteId: string): Promise<void> {
  await insertAlert(clickhouse, { websiteId, occurrences: 2, createdAt: TEST_NOW - 3 * HOUR_MS });
  await insertAlert(clickhouse, { websiteId, type: 'new_bot', createdAt: TEST_NOW - MINUTE_MS });
  const key = { websiteId, ...wholeWebsite };
  await insertInsight(clickhouse, {
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
  await readyCrawl({ test, clickhouse }, websiteId);
  const points = healthMetrics.map((metric) => ({ metric, start: TEST_NOW - 10 * MINUTE_MS, timed: 8 }));
  await insertIntervals(clickhouse, { websiteId, start: TEST_NOW }, points);
}

/** A website has at most one open crawl. */
export async function endOpenCrawls({ control }: TestApi, websiteId: string): Promise<void> {
  for (const { id: crawlId, ...held } of control.state().crawls.marked())
    if (held.websiteId === websiteId)
      await control.execute({ type: 'cancelCrawl', websiteId, crawlId }, 'system');
}

export async function readyCrawl(
  { test, clickhouse }: Pick<ContractWorld, 'test' | 'clickhouse'>,
  websiteId: string,
): Promise<void> {
  await endOpenCrawls(test, websiteId);
  const { id: crawlId } = granted(
    await test.control.execute({ type: 'requestCrawl', websiteId, trigger: 'admin' }, 'system'),
  );
  await test.control.execute({ type: 'startCrawl', crawlId, attemptsBefore: 0 }, 'system');
  await storeCrawl(clickhouse, { websiteId, crawlId }, crawled);
  const counts = await finishCrawl({ websiteId, crawlId }, { reader: clickhouse, writer: clickhouse });
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
