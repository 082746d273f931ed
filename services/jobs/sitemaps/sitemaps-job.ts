import { DAY_MS } from '../../../shared/durations.js';
import { refreshSitemaps } from '../../../shared/site-files/refresh-sitemaps.js';
import type { WebsiteJob } from '../runner/website-job.js';
import { readSitemapUrls } from './read-sitemap-urls.js';

/** Reads a website's sitemaps each day. */
export const sitemapsJob: WebsiteJob = {
  name: 'sitemaps',
  everyMs: DAY_MS,
  waitsFor: 'website',
  async run(website, deps) {
    const fromRobots = await readSitemapUrls(website, deps);
    await refreshSitemaps(deps, website, { fromRobots, maxUrls: deps.planOf(website).listedUrls });
  },
};
