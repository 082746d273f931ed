import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import pino from 'pino';
import { type Config, ConfigError, loadConfig } from '../../shared/config.js';
import { loadReferrerList } from '../../shared/crawlers/referrers.js';
import { openFileStore } from '../../shared/files/open-file-store.js';
import { CHECKS } from '../../shared/jobs/job-request.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { createSenders } from '../../shared/web-analytics/session-senders.js';
import { openInstance } from '../admin/open-instance.js';
import { DemoFailure } from './failure.js';
import { findInstance } from './instance.js';
import { nextSteps } from './next-steps.js';
import { createProgress } from './progress.js';
import { putAnalytics } from './put-analytics.js';
import { putCrawl } from './put-crawl.js';
import { putSearchResults } from './put-search-results.js';
import { putSiteFiles } from './put-site-files.js';
import { countVisible, waitUntilVisible } from './read-back.js';
import { createSender, sendAll } from './send.js';
import type { DemoRequest } from './traffic/demo-request.js';
import { type DemoOptions, demoIncidents, demoTraffic, demoWindow } from './traffic/demo-traffic.js';
import { earlierCrawls } from './traffic/earlier-crawls.js';
import { createWebAnalytics, type WebAnalytics } from './traffic/web-analytics.js';
import { packUploads, type UploadFormat, uploadFormats } from './uploads.js';

/** `npm run demo`: a week of a mid-size shop's traffic, sent to a running instance. */

const LINES_PER_UPLOAD = 10_000;
const UPLOADS_AT_ONCE = 3;
const VISIBLE_TIMEOUT_MS = 30_000;

interface Options {
  seed: string;
  days: number;
  requestsPerDay: number;
  format: UploadFormat;
  domain: string;
  url?: string;
  key?: string;
  credentials?: string;
}

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('must be a number above 0.');
  return value;
};

const program = new Command('demo')
  .description("Sends a week of a mid-size shop's traffic, up to now, to a running Loglane.")
  .option('--seed <text>', 'the same seed gives the same traffic', 'loglane')
  .option('--days <number>', 'days of traffic, ending now', positive, 7)
  .option('--requests-per-day <number>', 'requests a day, on average', positive, 60_000)
  .addOption(
    new Option('--format <name>', 'what the log lines look like; mixed: all three in turn')
      .choices(uploadFormats)
      .default('mixed'),
  )
  .option('--domain <host>', 'host name of the shop', 'example.com')
  .option('--url <url>', 'ingest address (default: from the credentials file)')
  .option('--key <key>', 'ingest key (default: from the credentials file)')
  .option('--credentials <path>', 'credentials file (default: DATA_DIR/credentials.json)');

async function run(options: Options): Promise<void> {
  const config = loadConfig(process.env);
  const credentials = options.credentials ?? join(config.DATA_DIR, 'credentials.json');
  const instance = await findInstance(credentials, options);
  const { seed, days, requestsPerDay, domain } = options;
  const demo: DemoOptions = { seed, days, requestsPerDay, domain, end: Date.now() };
  const window = demoWindow(demo);
  const before = instance.api === null ? null : await countVisible(instance.api, window, fetch);

  print(`${days} days of traffic of ${domain} to ${instance.ingestUrl}, format: ${options.format}`);
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  const progress = createProgress(days * requestsPerDay, process.stdout);
  const send = createSender({ ...instance, fetch, sleep });
  const analytics = createWebAnalytics(demo, createSenders(loadReferrerList()));
  const total = await sendRequests(analytics.watch(demoTraffic(demo)), options.format, {
    send,
    onSent: progress.add,
  }).finally(progress.stop);
  print(`Accepted ${total.accepted} requests, rejected ${total.rejected}, in ${seconds()} s.`);
  if (total.rejected > 0) {
    throw new DemoFailure(
      'incomplete',
      `${total.rejected} lines were rejected, the first: ${total.firstError}`,
    );
  }
  if (instance.api === null) return;

  const dataDir = dirname(credentials);
  const problem = await tellOfSite({ ...config, DATA_DIR: dataDir }, demo, analytics, instance.api.websiteId);
  if (problem === null) {
    const earlier = await sendRequests(earlierCrawls(demo), options.format, { send });
    print(
      `Stored its robots.txt, sitemaps, search results, web analytics and a crawl of it, and ${earlier.accepted} fetches of the months before.`,
    );
  } else {
    print(
      `Not all of its robots.txt, sitemaps, search results, web analytics and crawl is stored, so some reads of them are empty: ${problem}`,
    );
  }

  const isVisible = await waitUntilVisible(instance.api, window, (before ?? 0) + total.accepted, {
    fetch,
    sleep,
    now: Date.now,
    timeoutMs: VISIBLE_TIMEOUT_MS,
  });
  await requestJobs({ ...config, DATA_DIR: dataDir }, instance.api.websiteId);
  print(
    isVisible
      ? `All of it is in the analytics after ${seconds()} s. Try:\n`
      : 'Not all of it is in the analytics yet; it goes on in the background. Try:\n',
  );
  print(nextSteps(instance.api, window, demoIncidents(demo)));
}

interface Sending {
  readonly send: ReturnType<typeof createSender>;
  /** Told the lines of each upload that was taken. */
  readonly onSent?: (lines: number) => void;
}

/** @throws DemoFailure */
async function sendRequests(
  requests: Iterable<DemoRequest>,
  format: UploadFormat,
  { send, onSent }: Sending,
) {
  const total = { accepted: 0, rejected: 0, firstError: '' };
  await sendAll(packUploads(requests, format, LINES_PER_UPLOAD), send, {
    atOnce: UPLOADS_AT_ONCE,
    onSent: (sent, upload) => {
      total.accepted += sent.accepted;
      total.rejected += sent.rejected;
      total.firstError ||= sent.firstError;
      onSent?.(upload.lines);
    },
  });
  return total;
}

/** The checks of the start found no logs, and an insight wants a language model: this one does without. */
async function requestJobs(config: Config, websiteId: string): Promise<void> {
  const admin = openInstance(config, pino({ level: 'silent' }));
  try {
    await admin.post('/jobs', { kind: CHECKS, websiteId });
    await admin.post('/insights', { websiteId, page: '/', filters: '{}', recorded: true });
  } catch {
    print(
      'Checks and an insight of the website could not be asked for; the checks run by themselves within a day.',
    );
  } finally {
    await admin.close();
  }
}

/** By the operator's commands, which this machine may have no access to. @returns what is wrong; null: nothing. */
async function tellOfSite(
  config: Config,
  demo: DemoOptions,
  analytics: WebAnalytics,
  websiteId: string,
): Promise<string | null> {
  const admin = openInstance(config, pino({ level: 'silent' }));
  try {
    await putSiteFiles(admin.post, demo, websiteId);
    await putSearchResults(admin.post, demo, websiteId);
    await putAnalytics(admin.post, websiteId, analytics.days(websiteId));
    const files = await openFileStore(config, { base: publicUrls(config).base, now: Date.now });
    if (files !== null) await putCrawl(admin.post, files.store, demo, websiteId);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await admin.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  await run(program.parse().opts<Options>());
} catch (error) {
  if (!(error instanceof DemoFailure || error instanceof ConfigError)) throw error;
  process.stderr.write(`demo: ${error.message}\n`);
  process.exit(error instanceof DemoFailure ? error.exitCode : 2);
}
