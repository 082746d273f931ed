import { readCountedCrawlers } from '../../../../shared/reads/bots/counted-crawlers.js';
import { oneOf } from '../../../../shared/reads/sql/filters.js';
import { crawlerPaths } from '../../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import { selectList } from '../../../../shared/reads/sql/select.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** Responses to search crawlers for single files, counted over the same requests as `CrawlHealth`. */
export interface CrawlersMet {
  /** Paths with 404 responses, the most requested first. */
  readonly notFoundPaths: readonly { readonly path: string; readonly requests: number }[];
  /** Requests for /robots.txt. `served`: any status except server errors and 429, as Google treats it. */
  readonly robotsTxt: { readonly served: number; readonly failed: number };
}

const MOST_PATHS = 10;

/** @throws as `ClickHouseReader.read` */
export async function readCrawlersMet(reader: ClickHouseReader, scope: Scope): Promise<CrawlersMet> {
  const counted = await readCountedCrawlers(reader, scope, { params_filter: 'all' });
  const paths = await selectList(reader, counted.scope, {
    name: 'report.not_found_paths',
    from: [crawlerPaths],
    by: ['path'],
    limit: MOST_PATHS,
    metrics: ['requests'],
    where: [oneOf('status', [404], 'UInt16')],
  });
  const robots = await selectList(reader, counted.scope, {
    name: 'report.robots_txt',
    from: [crawlerPaths],
    by: ['status'],
    metrics: ['requests'],
    where: [oneOf('path', ['/robots.txt'])],
  });
  const isFailed = ({ status }: { readonly status: number }) => status === 429 || status >= 500;
  return {
    notFoundPaths: paths.map(({ path, requests }) => ({ path, requests })),
    robotsTxt: {
      served: sum(robots.filter((row) => row.status >= 200 && !isFailed(row))),
      failed: sum(robots.filter(isFailed)),
    },
  };
}

const sum = (rows: readonly { readonly requests: number }[]) =>
  rows.reduce((total, { requests }) => total + requests, 0);
