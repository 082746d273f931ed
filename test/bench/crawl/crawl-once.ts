import { setTimeout as sleep } from 'node:timers/promises';
import { crawlSite } from '../../../services/jobs/crawl/crawl-site.js';
import { connectClickHouse } from '../../../shared/clickhouse/client.js';
import { openFetchSession } from '../../../shared/fetch/fetch-session.js';
import { createFetcher } from '../../../shared/fetch/fetcher.js';
import { createLogger } from '../../../shared/log.js';

/** One crawl in a process of its own, which tells its time and its memory. */

const wanted = JSON.parse(process.argv[2]!) as {
  readonly engineUrl: string;
  readonly maxMemoryBytes: number;
  readonly port: number;
  readonly newConnections?: boolean;
};
const nobody = { resolve4: async () => [], resolve6: async () => [] };
const loopback = { origins: new Map([['https://shop.example', wanted.port]]) };
const fetching = { userAgent: 'LoglaneBot', resolver: nobody, loopback };
const clickhouse = connectClickHouse(wanted.engineUrl, { maxMemoryBytes: wanted.maxMemoryBytes });

const idle = process.memoryUsage().rss;
let fetched = 0;
const started = performance.now();
const outcome = await crawlSite(
  {
    ...{ websiteId: 'shop', crawlId: 'bench', domain: 'shop.example', seeds: [], queryKeys: [] },
    ...{ maxPages: 50_000, renderJs: false },
  },
  {
    openFetchSession: () =>
      wanted.newConnections === true
        ? { fetch: createFetcher(fetching), close() {} }
        : openFetchSession(fetching),
    ...{ writer: clickhouse, reader: clickhouse, now: Date.now, requestsPerSecond: Number.POSITIVE_INFINITY },
    pause: (ms, signal) => sleep(ms, undefined, { signal }),
    logger: createLogger('error', 'bench'),
  },
  new AbortController().signal,
  (progress) => {
    fetched = progress.fetched;
  },
);
const seconds = (performance.now() - started) / 1000;
const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
console.log(
  `${outcome.outcome}: ${Math.round(seconds)} s, ${fetched} pages, ${Math.round(fetched / seconds)} pages/s, at most ${mebibytes(process.resourceUsage().maxRSS * 1024)} MiB RSS (${mebibytes(idle)} MiB before)`,
);
await clickhouse.close();
