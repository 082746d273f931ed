import { z } from 'zod';
import { crawlsOf } from '../../../shared/control/crawls/latest-crawl.js';
import type { CrawlCounts } from '../../../shared/control/domain/model.js';
import { slowPages } from '../../../shared/reads/crawls/findings/slow-pages.js';
import { command, type JobWebsite, type JobWorld } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { rowsOf } from './job-results.js';

/** Pages, links, ranks and findings of all crawls of the website, without ids, addresses and times. Slow pages depend on the machine's load. */
export async function crawlResult(world: JobWorld, website: JobWebsite) {
  const crawls = crawlsOf(world.control.state(), website.id);
  const sums = (table: string, columns: string, where = 'true') =>
    rowsOf(
      world,
      website,
      `SELECT count() AS rows, toString(sum(cityHash64(${columns}))) AS hash FROM ${table} FINAL WHERE website_id = {id: String} AND ${where}`,
      z.object({ rows: z.number(), hash: z.string() }),
    );
  const slow = await rowsOf(
    world,
    website,
    `SELECT crawl_id AS crawl, count() AS pages FROM crawl_findings FINAL WHERE website_id = {id: String} AND ${IS_SLOW} GROUP BY crawl_id`,
    z.object({ crawl: z.string(), pages: z.number() }),
  );
  return {
    statuses: crawls.map(({ status }) => status),
    counts: crawls.map(({ id, counts }) => {
      const pages = slow.find(({ crawl }) => crawl === id)?.pages ?? 0;
      return counts && { ...counts, auditSummary: withoutSlow(counts.auditSummary, pages) };
    }),
    pages: await sums(
      'crawl_pages',
      'page, path, found_by, status, error, title, words, indexable, fetched_at > 0',
    ),
    links: await sums('crawl_links', 'from_page, to_page, kind, nofollow, anchor'),
    ranks: await sums('crawl_ranks', 'page, depth, inlinks, outlinks, pagerank'),
    findings: await sums('crawl_findings', 'finding, page, problem, value', `NOT (${IS_SLOW})`),
  };
}

const IS_SLOW = `finding = '${slowPages.key}'`;

function withoutSlow(summary: CrawlCounts['auditSummary'], pages: number) {
  return { ...summary, [slowPages.severity]: summary[slowPages.severity] - pages };
}

export async function wasCrawled({ control }: JobWorld, { id }: JobWebsite): Promise<boolean> {
  return crawlsOf(control.state(), id).some(({ attempts }) => attempts > 0);
}

export const crawl: JobKind = {
  name: 'crawl',
  async begin(world, { id: websiteId }) {
    await command(world, { type: 'requestCrawl', websiteId, trigger: 'admin', seeds: [] });
  },
  hasBegun: wasCrawled,
  done: { statuses: ['ready'] },
  result: crawlResult,
};
