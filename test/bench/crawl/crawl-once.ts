import { setTimeout as sleep } from 'node:timers/promises';
import { crawlSite } from '../../../services/jobs/crawls/site/crawl-site.js';
import { openFetchSession } from '../../../services/jobs/crawls/site/fetch-session.js';
import { createLogger } from '../../../shared/logging/log.js';
import { connectClickHouse } from '../../../shared/store/client.js';

/** Runs one crawl in a separate process, which prints its time and its memory. */

export interface CrawlWanted {
  readonly engineUrl: string;
  readonly maxMemoryBytes: number;
  /** Port of the site. */
  readonly port: number;
}

export interface CrawlFigures {
  readonly outcome: string;
  readonly seconds: number;
  /** Memory of the process before the crawl, and at most. */
  readonly idleMiB: number;
  readonly mostMiB: number;
}

const MEBIBYTE = 1024 ** 2;
const wanted = JSON.parse(process.argv[2]!) as CrawlWanted;
const nobody = { resolve4: async () => [], resolve6: async () => [] };
const loopback = { origins: new Map([['https://shop.example', wanted.port]]) };
const fetching = { userAgent: 'LoglaneBot', resolver: nobody, loopback };
const clickhouse = connectClickHouse(wanted.engineUrl, { maxMemoryBytes: wanted.maxMemoryBytes });

const idle = process.memoryUsage().rss;
const started = performance.now();
const outcome = await crawlSite(
  {
    ...{ websiteId: 'shop', crawlId: 'bench', domain: 'shop.example', seeds: [], queryKeys: [] },
    ...{ maxPages: 50_000, renderJs: false },
  },
  {
    openFetchSession: () => openFetchSession(fetching),
    ...{ writer: clickhouse, reader: clickhouse, now: Date.now, requestsPerSecond: Number.POSITIVE_INFINITY },
    pause: (ms, signal) => sleep(ms, undefined, { signal }),
    logger: createLogger('error', 'bench'),
  },
  new AbortController().signal,
  () => {},
);
const figures: CrawlFigures = {
  outcome: outcome.outcome,
  seconds: (performance.now() - started) / 1000,
  idleMiB: idle / MEBIBYTE,
  mostMiB: (process.resourceUsage().maxRSS * 1024) / MEBIBYTE,
};
process.stdout.write(JSON.stringify(figures));
await clickhouse.close();
