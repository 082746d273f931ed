import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { type Config, loadConfig } from '../../shared/config.js';
import { loadReferrerList } from '../../shared/crawlers/referrers.js';
import { openFileStore } from '../../shared/files/open-file-store.js';
import { CHECKS } from '../../shared/jobs/job-request.js';
import { createSenders } from '../../shared/reads/analytics/session-senders.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { openInstance } from '../admin/open-instance.js';
import { DemoFailure, findInstance } from '../import/instance.js';
import { nextSteps } from './next-steps.js';
import { type Post, putConnections, putCrawl, putSiteFiles } from './put-shop.js';
import { countVisible, waitUntilVisible } from './read-back.js';
import { createDemoSender } from './send-uploads.js';
import type { DemoRequest } from './traffic/demo-request.js';
import { type DemoOptions, demoIncidents, demoTraffic, demoWindow } from './traffic/demo-traffic.js';
import { earlierCrawls } from './traffic/earlier-crawls.js';
import { createWebAnalytics, type WebAnalytics } from './traffic/web-analytics.js';
import { packUploads, type UploadFormat } from './uploads.js';

/** `loglane demo`: sends a week of a mid-size shop's traffic to a running instance. */

const LINES_PER_UPLOAD = 10_000;
const VISIBLE_TIMEOUT_MS = 30_000;

export interface DemoCommand extends Omit<DemoOptions, 'end'> {
  format: UploadFormat;
  url?: string;
  key?: string;
  credentials?: string;
  /** Sends the traffic to a website that has requests in these days already. */
  add?: boolean;
}

/** @throws DemoFailure, Refused, ConfigError */
export async function runDemo({ format, ...options }: DemoCommand): Promise<void> {
  const loaded = loadConfig(process.env);
  const credentials = options.credentials ?? join(loaded.DATA_DIR, 'credentials.json');
  const { ingestUrl, ingestKey, api } = await findInstance(credentials, options);
  const demo: DemoOptions = { ...options, end: Date.now() };
  const window = demoWindow(demo);
  const before = api === null ? null : await countVisible(api, window, fetch);
  if (!options.add && before !== null && before > 0)
    throw new DemoFailure(
      `the website has ${before} requests in these days already, and the invented ones would mix with them; --add sends them all the same, or start another Loglane with its own DATA_DIR`,
    );
  const send = createDemoSender({ url: ingestUrl, ingestKey, fetch, sleep, print });
  const sendAll = (requests: Iterable<DemoRequest>, expected: number) =>
    send(packUploads(requests, format, LINES_PER_UPLOAD), expected);

  print(`${demo.days} days of traffic of ${demo.domain} to ${ingestUrl}, format: ${format}`);
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  const analytics = createWebAnalytics(demo, createSenders(loadReferrerList()));
  const accepted = await sendAll(analytics.watch(demoTraffic(demo)), demo.days * demo.requestsPerDay);
  print(`Accepted ${accepted} requests, rejected 0, in ${seconds()} s.`);
  if (api === null) return;

  const config = { ...loaded, DATA_DIR: dirname(credentials) };
  const admin = openInstance(config, pino({ level: 'silent' }));
  try {
    const problem = await putShop(admin.post, config, { demo, analytics, websiteId: api.websiteId });
    if (problem === null) {
      const earlier = await sendAll(earlierCrawls(demo), Number.POSITIVE_INFINITY);
      print(
        `Stored the shop's robots.txt, sitemaps, search results, web analytics and a crawl, and ${earlier} crawler requests of earlier months.`,
      );
    } else {
      print(
        `Could not store all of the shop's robots.txt, sitemaps, search results, web analytics and crawl, so some reads of them are empty: ${problem}`,
      );
    }
    const isVisible = await waitUntilVisible(api, window, (before ?? 0) + accepted, {
      ...{ fetch, sleep, now: Date.now, timeoutMs: VISIBLE_TIMEOUT_MS },
    });
    await requestJobs(admin.post, api.websiteId);
    print(
      isVisible
        ? `All requests are in the analytics after ${seconds()} s. Try:\n`
        : 'Some requests are not in the analytics yet; they are stored in the background. Try:\n',
    );
  } finally {
    await admin.close();
  }
  print(nextSteps(api, { window, credentials, incidents: demoIncidents(demo) }));
}

interface Shop {
  readonly demo: DemoOptions;
  readonly analytics: WebAnalytics;
  readonly websiteId: string;
}

/** Uses the operator's commands, which may not be accessible from this machine. @returns the problem; null: none. */
async function putShop(
  post: Post,
  config: Config,
  { demo, analytics, websiteId }: Shop,
): Promise<string | null> {
  try {
    await putSiteFiles(post, demo, websiteId);
    await putConnections(post, demo, websiteId, analytics);
    const files = await openFileStore(config, { base: publicUrls(config).base, now: Date.now });
    if (files !== null) await putCrawl(post, files.store, demo, websiteId);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Requests checks, since the checks at the start found no logs, and an insight without a language model. */
async function requestJobs(post: Post, websiteId: string): Promise<void> {
  try {
    await post('/jobs', { kind: CHECKS, websiteId });
    await post('/insights', { websiteId, page: '/', filters: '{}', recorded: true });
  } catch {
    print('Could not request checks and an insight; the checks run automatically within a day.');
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
