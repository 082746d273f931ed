import { z } from 'zod';
import { DAILY_BUILD } from '../../../shared/jobs/job-request.js';
import { readImportanceBuild } from '../../../shared/reads/seo/page-importance-sql.js';
import { storeCrawls } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { ask, rowsOf, runOf } from './job-results.js';

const CRAWLS = 500;

export const importance: JobKind = {
  name: DAILY_BUILD,
  prepare: (world, websites) => storeCrawls(world, websites, CRAWLS),
  begin: ask(DAILY_BUILD),
  async hasBegun(world, website) {
    const sql = 'SELECT 1 AS one FROM page_importance WHERE website_id = {id: String} LIMIT 1';
    return (await rowsOf(world, website, sql, z.object({ one: z.number() }))).length > 0;
  },
  done: { run: 'done, 0 failures', stored: { pages: 50, paths: 50, crawls: CRAWLS } },
  async result(world, website) {
    const build = await readImportanceBuild(world.cluster.clickhouse, website.id, Date.now());
    const of = `website_id = {id: String} AND build_id = '${build?.buildId ?? ''}'`;
    const sql = `SELECT (SELECT count() FROM page_importance WHERE ${of}) AS pages,
  (SELECT count() FROM crawled_paths WHERE ${of}) AS paths, (SELECT sum(requests) FROM crawled_paths WHERE ${of}) AS crawls`;
    const row = z.object({ pages: z.number(), paths: z.number(), crawls: z.number() });
    const [stored] = await rowsOf(world, website, sql, row);
    const facts = build === null ? null : { stale: build.stale, families: build.families };
    return { run: await runOf(world, website, DAILY_BUILD), stored, facts };
  },
};
