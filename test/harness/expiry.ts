import type { ClickHouse } from '../../shared/store/client.js';

/** Tables whose rows end by the engine's clock alone, while tests write rows of one fixed day. */
const tables = ['sitemap_fetches', 'sitemap_urls'] as const;

/** Lets expired rows of sitemaps stand, or go at the next merge. */
export async function expireSitemaps(clickhouse: ClickHouse, verb: 'START' | 'STOP'): Promise<void> {
  for (const table of tables) await clickhouse.command(`SYSTEM ${verb} TTL MERGES ${table}`);
}
