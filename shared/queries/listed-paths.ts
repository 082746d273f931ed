import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { Clause } from './clause.js';
import type { SitemapState } from './sitemaps.js';

/** The paths that a website's sitemaps list now. */

/** Paths last seen before it are no longer listed; null: no sitemap has been read. Milliseconds since the epoch. */
export function listedSince(state: SitemapState | null): number | null {
  return state === null ? null : (state.lastComplete ?? 0);
}

/** A SELECT of them; one may be there twice. @param where a condition on `path`. */
export function listedPaths(websiteId: string, since: number, where?: Clause): Clause {
  return {
    sql: `SELECT path FROM sitemap_urls
WHERE website_id = {listed_website_id: String} AND last_seen >= fromUnixTimestamp64Milli({listed_since: Int64}, 'UTC')${where === undefined ? '' : ` AND ${where.sql}`}`,
    params: { listed_website_id: websiteId, listed_since: since, ...where?.params },
  };
}

/** How many there are. @throws as ClickHouseReader.read */
export async function countListed(
  reader: ClickHouseReader,
  websiteId: string,
  since: number,
): Promise<number> {
  const listed = listedPaths(websiteId, since);
  const [row] = await reader.read({
    name: 'sitemap.listed',
    sql: `SELECT uniqExact(path) AS urls FROM (${listed.sql})`,
    params: listed.params,
    row: z.object({ urls: z.number() }),
  });
  return row?.urls ?? 0;
}
