import { z } from 'zod';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** Statements that find a fetch by its identity: website and time. */
const statements = {
  robots: `SELECT count() AS fetches FROM robots_fetches
WHERE website_id = {website_id: String} AND fetched_at = fromUnixTimestamp64Milli({at: Int64}, 'UTC')`,
  sitemaps: `SELECT count() AS fetches FROM sitemap_fetches
WHERE website_id = {website_id: String} AND fetched_at = fromUnixTimestamp64Milli({at: Int64}, 'UTC')`,
} as const;

/** Days for which a fetch is kept, from its own time: the TTL of its table (site_files.sql). */
export const FETCHES_KEPT_DAYS = { robots: 800, sitemaps: 60 } as const;

const row = z.object({ fetches: z.number() });

/** Whether a fetch of this time is stored: a second one would count as its duplicate. @throws as `ClickHouseReader.read` */
export async function isFetchStored(
  reader: ClickHouseReader,
  kind: keyof typeof statements,
  { websiteId, fetchedAt }: { readonly websiteId: string; readonly fetchedAt: number },
): Promise<boolean> {
  const [found] = await reader.read({
    name: `${kind}.stored_fetch`,
    sql: statements[kind],
    params: { website_id: websiteId, at: fetchedAt },
    row,
  });
  return found !== undefined && found.fetches > 0;
}
