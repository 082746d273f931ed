import { z } from 'zod';
import { LISTED_PAGES } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { ask, rowsOf, runOf, wasAsked } from './job-results.js';

export const sitemaps: JobKind = {
  name: 'sitemaps',
  begin: ask('sitemaps'),
  hasBegun: wasAsked,
  done: { run: 'done, 0 failures', listed: { pages: LISTED_PAGES, newest: LISTED_PAGES } },
  async result(world, website) {
    const counts = `SELECT count() AS pages, countIf(last_seen = (SELECT max(fetched_at) FROM sitemap_fetches WHERE website_id = {id: String})) AS newest
FROM sitemap_urls FINAL WHERE website_id = {id: String}`;
    const fetches = `SELECT DISTINCT complete, files, failed_files, urls FROM sitemap_fetches FINAL WHERE website_id = {id: String}`;
    const [listed] = await rowsOf(
      world,
      website,
      counts,
      z.object({ pages: z.number(), newest: z.number() }),
    );
    const run = await runOf(world, website, 'sitemaps');
    return { run, listed, fetches: await rowsOf(world, website, fetches, z.looseObject({})) };
  },
};
