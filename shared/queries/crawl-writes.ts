import { createHash } from 'node:crypto';
import type { ClickHouseWriter } from '../clickhouse/client.js';
import { dateTime64, insertRows, type RowValue } from '../clickhouse/insert-rows.js';
import type { CrawlLink, CrawlOf, CrawlPage, CrawlRank } from '../crawls/crawl-page.js';

/** @param pages at least one, as of the others. The same rows written again are stored once. @throws as ClickHouseWriter.insert */
export function writeCrawlPages(
  writer: ClickHouseWriter,
  { websiteId, crawlId }: CrawlOf,
  pages: readonly CrawlPage[],
): Promise<void> {
  const rows = pages.map((page) => ({ website_id: websiteId, crawl_id: crawlId, ...pageColumns(page) }));
  return insertOnce(writer, websiteId, { table: 'crawl_pages', rows });
}

function pageColumns(page: CrawlPage) {
  return {
    ...{ page: page.page, url: page.url, path: page.path, found_by: page.foundBy },
    ...{ in_sitemap: page.inSitemap, status: page.status, error: page.error },
    ...{ robots_allowed: page.robotsAllowed, redirect_to: page.redirectTo, content_type: page.contentType },
    ...{ bytes: page.bytes, ms: page.ms, indexable: page.indexable },
    ...{ unindexable_reason: page.unindexableReason, canonical: page.canonical },
    ...{ meta_robots: page.metaRobots, x_robots_tag: page.xRobotsTag, titles: page.titles },
    ...{ title: page.title, description: page.description, h1s: page.h1s, h1: page.h1, lang: page.lang },
    words: page.words,
    hreflang_langs: page.hreflangs.map(({ lang }) => lang),
    hreflang_urls: page.hreflangs.map(({ url }) => url),
    ...{ links_internal: page.linksInternal, links_external: page.linksExternal, digest: page.digest },
    fetched_at: dateTime64(page.fetchedAt),
  };
}

/** @throws as ClickHouseWriter.insert */
export function writeCrawlLinks(
  writer: ClickHouseWriter,
  { websiteId, crawlId }: CrawlOf,
  links: readonly CrawlLink[],
): Promise<void> {
  const rows = links.map(({ from, to, kind, nofollow, anchor }) => ({
    ...{ website_id: websiteId, crawl_id: crawlId, from_page: from, to_page: to, kind, nofollow, anchor },
  }));
  return insertOnce(writer, websiteId, { table: 'crawl_links', rows });
}

/** @throws as ClickHouseWriter.insert */
export function writeCrawlRanks(
  writer: ClickHouseWriter,
  { websiteId, crawlId }: CrawlOf,
  ranks: readonly CrawlRank[],
): Promise<void> {
  const rows = ranks.map(({ page, depth, inlinks, outlinks, pagerank }) => ({
    ...{ website_id: websiteId, crawl_id: crawlId, page, depth: depth ?? -1, inlinks, outlinks, pagerank },
  }));
  return insertOnce(writer, websiteId, { table: 'crawl_ranks', rows });
}

/** The token is made of the rows: another attempt may know more of the same pages, and its rows must not pass for a repeat. */
function insertOnce(
  writer: ClickHouseWriter,
  websiteId: string,
  { table, rows }: { readonly table: string; readonly rows: readonly Readonly<Record<string, RowValue>>[] },
): Promise<void> {
  const digest = createHash('sha256');
  for (const row of rows) digest.update(JSON.stringify(row));
  return insertRows(writer, { table, rows, deduplicationToken: digest.digest('hex'), websiteId });
}
