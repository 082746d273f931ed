import { insertSitemapFetch, insertSitemapUrls } from '../reads/sitemaps/sitemap-writes.js';
import { sitemapLimits } from '../sitemaps/limits.js';
import { walkSitemaps } from '../sitemaps/walk-sitemaps.js';
import type { SitemapWalk } from '../sitemaps/walk-tally.js';
import type { RefreshDeps } from './refresh-robots.js';

export interface SitemapsToRead {
  /** As in WalkOptions. */
  readonly fromRobots: readonly string[] | null;
  /** Maximum URLs, by the plan of the website's organisation. */
  readonly maxUrls: number;
}

/**
 * Reads a website's sitemaps and stores their pages. Pages are stored while they are read, and the fetch itself after them. So an
 * interrupted fetch adds pages and removes none.
 * @throws the abort reason of the signal; as `ClickHouseWriter.insert`.
 */
export async function refreshSitemaps(
  { fetch, clickhouse, now, signal }: RefreshDeps,
  website: { readonly id: string; readonly domain: string },
  { fromRobots, maxUrls }: SitemapsToRead,
): Promise<SitemapWalk> {
  const fetched = { websiteId: website.id, fetchedAt: now() };
  let parts = 0;
  const walk = await walkSitemaps({
    domain: website.domain,
    fromRobots,
    fetch,
    signal,
    limits: { ...sitemapLimits, urls: maxUrls },
    onUrls: (urls) => insertSitemapUrls(clickhouse, fetched, urls, parts++),
  });
  signal.throwIfAborted();
  await insertSitemapFetch(clickhouse, fetched, walk, now());
  return walk;
}
