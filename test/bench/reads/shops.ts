import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectInstance } from '../../../deploy/admin/instance/instance.js';
import { openControlLog } from '../../../deploy/admin/instance/open-control-log.js';
import { putConnections, putCrawl, putSiteFiles } from '../../../deploy/demo/put-shop.js';
import type { DemoRequest } from '../../../deploy/demo/traffic/demo-request.js';
import type { DemoOptions } from '../../../deploy/demo/traffic/demo-traffic.js';
import { createWebAnalytics } from '../../../deploy/demo/traffic/web-analytics.js';
import { loadConfig } from '../../../shared/config.js';
import { type ControlPlane, openControlPlane } from '../../../shared/control/control-plane.js';
import type { CrawlCounts } from '../../../shared/control/domain/model.js';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { openFileStore } from '../../../shared/files/open-file-store.js';
import { createLogger } from '../../../shared/logging/log.js';
import { analyticsConnectionOf } from '../../../shared/reads/analytics/analytics-connection.js';
import { createSenders } from '../../../shared/reads/analytics/session-senders.js';
import { searchConnectionOf } from '../../../shared/reads/search/search-connection.js';

import { publicUrls } from '../../../shared/service/public-urls.js';
import { granted } from '../../harness/control-plane.js';
import type { BenchProgram } from '../pipeline/program.js';
import { type BenchWebsite, domainOf } from '../pipeline/websites.js';

/** The ids in a website's rows. */
export interface Shop {
  readonly websiteId: string;
  readonly crawlId: string;
  readonly searchSourceId: string;
  readonly analyticsSourceId: string;
}

const CRAWL_PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** Connects all websites to a search engine and web analytics. Stores the shop's files, recorded data and a crawl for the first one. */
export async function storeFirstShop(
  program: BenchProgram,
  [first, ...others]: readonly BenchWebsite[],
  demo: DemoOptions,
  requests: Iterable<DemoRequest>,
): Promise<void> {
  const { post } = connectInstance(program.dataDir);
  const analytics = createWebAnalytics(demo, createSenders(loadReferrerList()));
  for (const _ of analytics.watch(requests));
  await putSiteFiles(post, demo, first!.id);
  await putConnections(post, demo, first!.id, analytics);
  for (const [index, { id: websiteId }] of others.entries()) {
    const connect = (kind: string, property: string) =>
      post('/connections', { websiteId, kind, property, credential: { type: 'recorded' } });
    await connect('google-search-console', `sc-domain:${domainOf(index + 1)}`);
    await connect('google-analytics', '123456789');
  }
  const config = loadConfig({ ...process.env, DATA_DIR: program.dataDir });
  const files = await openFileStore(config, { base: publicUrls(config).base, now: Date.now });
  await putCrawl(post, files!.store, demo, first!.id);
  await untilCrawled(program, first!);
}

async function untilCrawled({ credentials }: BenchProgram, { id, apiKey }: BenchWebsite): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  for (const until = Date.now() + CRAWL_PATIENCE_MS; Date.now() < until; await sleep(LOOK_EVERY_MS)) {
    const response = await fetch(`${credentials.base_url}/public/v1/websites/${id}/crawls`, { headers });
    const { latest } = (await response.json()) as { latest: { status: string } | null };
    if (latest?.status === 'ready') return;
  }
  throw new Error('the crawl is not ready');
}

/**
 * Records the first website's crawl for each other one. The rows are not copied.
 * @param dataDir of a program that does not run: its jobs would begin the crawls
 */
export async function recordCrawls(dataDir: string, websites: readonly BenchWebsite[]): Promise<Shop[]> {
  const logger = createLogger('error', 'bench');
  const log = await openControlLog(loadConfig({ ...process.env, DATA_DIR: dataDir }), logger);
  const fail = (error: Error) => logger.error({ err: error }, 'cannot follow the control events');
  const control = await openControlPlane({ log, now: Date.now, randomBytes, logger, onCrash: fail });
  try {
    const crawls = control.state().crawls;
    const [first] = crawls.by('websiteId', websites[0]!.id);
    const shops: Shop[] = [];
    for (const [index, { id: websiteId }] of websites.entries()) {
      const crawlId = index === 0 ? first!.id : await recordCrawl(control, websiteId, first!.counts!);
      const { sourceId: searchSourceId } = searchConnectionOf(control.state(), websiteId)!;
      const { sourceId: analyticsSourceId } = analyticsConnectionOf(control.state(), websiteId)!;
      shops.push({ websiteId, crawlId, searchSourceId, analyticsSourceId });
    }
    return shops;
  } finally {
    await control.close();
    await log.close();
  }
}

async function recordCrawl(control: ControlPlane, websiteId: string, counts: CrawlCounts): Promise<string> {
  const { id: crawlId } = granted(
    await control.execute({ type: 'requestCrawl', websiteId, trigger: 'admin' }, 'system'),
  );
  granted(await control.execute({ type: 'startCrawl', crawlId, attemptsBefore: 0 }, 'system'));
  const outcome = { status: 'ready', counts, delta: null } as const;
  granted(await control.execute({ type: 'endCrawl', crawlId, attempt: 1, outcome }, 'system'));
  return crawlId;
}
