import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { Clause } from '../sql/clause.js';

/** The URLs that a website's sitemaps list now. URLs with different queries are different. */

/** The limit below which the last sighting makes a URL unlisted, in milliseconds since the epoch; null: no sitemap could be read yet. */
export function listedSince(
  state: { readonly anyRead: boolean; readonly lastComplete: number | null } | null,
): number | null {
  return state?.anyRead ? (state.lastComplete ?? 0) : null;
}

const SINCE = "fromUnixTimestamp64Milli({listed_since: Int64}, 'UTC')";

/** A SELECT of the listed URLs, each once: `path`, `query` and `first_seen`, which may come from an earlier row than the last. */
export function listedUrls(websiteId: string, since: number): Clause {
  return {
    sql: `SELECT u.path AS path, u.query AS query, min(u.first_seen) AS first_seen
FROM sitemap_urls AS u
WHERE u.website_id = {listed_website_id: String}
GROUP BY path, query
HAVING max(u.last_seen) >= ${SINCE}`,
    params: { listed_website_id: websiteId, listed_since: since },
  };
}

/** A SELECT of the paths of listed URLs, with repeats. @param where a condition on the row. */
export function listedPaths(websiteId: string, since: number, where?: Clause): Clause {
  return {
    sql: `SELECT path FROM sitemap_urls
WHERE website_id = {listed_website_id: String} AND last_seen >= ${SINCE}${where === undefined ? '' : ` AND ${where.sql}`}`,
    params: { listed_website_id: websiteId, listed_since: since, ...where?.params },
  };
}

/** Number of listed URLs. @throws as ClickHouseReader.read */
export async function countListed(
  reader: ClickHouseReader,
  websiteId: string,
  since: number,
): Promise<number> {
  const listed = listedUrls(websiteId, since);
  const [row] = await reader.read({
    name: 'sitemap.count',
    sql: `SELECT count() AS urls FROM (${listed.sql})`,
    params: listed.params,
    row: z.object({ urls: z.number() }),
  });
  return row?.urls ?? 0;
}
