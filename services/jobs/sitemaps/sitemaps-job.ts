import { DAY_MS } from '../../../shared/durations.js';
import { insertSitemapFetch, insertSitemapUrls } from '../../../shared/queries/sitemap-writes.js';
import { walkSitemaps } from '../../../shared/sitemaps/walk-sitemaps.js';
import type { WebsiteJob } from '../website-job.js';
import { readSitemapUrls } from './read-sitemap-urls.js';

/**
 * Reads a website's sitemaps each day and stores which pages they list. Pages are stored while they are read, and the fetch itself behind them:
 * one that is cut short tells of pages that are listed and of none that is gone.
 */
export const sitemapsJob: WebsiteJob = {
  name: 'sitemaps',
  everyMs: DAY_MS,
  async run(website, deps) {
    const { clickhouse, fetch, signal, now } = deps;
    const fetched = { websiteId: website.id, fetchedAt: now() };
    let parts = 0;
    const walk = await walkSitemaps({
      domain: website.domain,
      fromRobots: await readSitemapUrls(website, deps),
      fetch,
      signal,
      onUrls: (urls) => insertSitemapUrls(clickhouse, fetched, urls, parts++),
    });
    signal.throwIfAborted();
    await insertSitemapFetch(clickhouse, fetched, walk, now());
  },
};
