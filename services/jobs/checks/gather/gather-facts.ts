import type { Fetcher } from '../../../../shared/fetch/fetcher.js';
import { readReceipts } from '../../../../shared/reads/health/setup.js';
import { readOnce } from '../../../../shared/reads/sql/read-once.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { isTooMuchForOneRead } from '../../../../shared/store/store-errors.js';
import { type Absent, absent, type Gathered } from '../facts/check.js';
import { gatherRobots, gatherSitemaps, gatherTopPaths } from './gather-files.js';
import { gatherLogs, weekUpTo } from './gather-logs.js';
import { gatherWebsite, noWebsite } from './gather-website.js';
import { beginVisit, type VisitBounds } from './visit.js';

export interface GatherDeps {
  readonly clickhouse: ClickHouseReader;
  /** null: this installation sends no requests to websites. */
  readonly fetch: Fetcher | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Limits of the light fetches; default: visit.ts. */
  readonly bounds?: VisitBounds | undefined;
}

/**
 * Gathers the facts of all checks in one pass: first from the store, then from the website itself.
 * @throws the signal's reason; StoreUnavailableError
 */
export async function gatherFacts(
  { clickhouse: reader, fetch, now, signal, bounds }: GatherDeps,
  website: { readonly id: string; readonly domain: string },
): Promise<Gathered> {
  const clickhouse = readOnce(reader);
  const at = now();
  const asked = { websiteId: website.id, now: at };
  const files = { domain: website.domain, fetchesWebsites: fetch !== null };
  const scope = weekUpTo(website.id, at);
  const { lastReceived } = await readReceipts(clickhouse, asked);
  const logs = await unlessTooMuch(gatherLogs(clickhouse, scope));
  const robots = await unlessTooMuch(gatherRobots(clickhouse, scope, files));
  const sitemaps = await unlessTooMuch(gatherSitemaps(clickhouse, asked, files));
  const top = await unlessTooMuch(gatherTopPaths(clickhouse, asked));
  const topPaths = 'absent' in top ? [] : top.paths;
  signal.throwIfAborted();
  const visited =
    fetch === null
      ? noWebsite(absent('This installation fetches nothing from websites.', 'not_checked'))
      : await gatherWebsite(beginVisit({ fetch, now, signal }, bounds), {
          ...website,
          topPaths: topPaths ?? [],
          listedUrls: 'absent' in sitemaps ? [] : sitemaps.sample,
        });
  return {
    now: at,
    flow: { lastReceivedAt: lastReceived },
    logs,
    robots,
    sitemaps: 'absent' in sitemaps ? sitemaps : sitemaps.facts,
    ...visited,
    // While the logs are too short to show which pages crawlers fetch, the home page must not replace them.
    pages: 'absent' in logs && topPaths === null && !('absent' in visited.pages) ? logs : visited.pages,
  };
}

/** If one read of a website's logs is too large, its other checks still run. */
async function unlessTooMuch<T extends object>(read: Promise<T>): Promise<T | Absent> {
  try {
    return await read;
  } catch (error) {
    if (!isTooMuchForOneRead(error)) throw error;
    return absent('There is too much data to read within the time limit of a check.', 'not_checked');
  }
}
