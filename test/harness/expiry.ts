import type { ClickHouse } from '../../shared/store/client.js';

/** Tables whose rows expire by the engine's clock, while tests write rows of one fixed day. */
const tables = ['sitemap_fetches', 'sitemap_urls'] as const;

/** Keeps expired rows of sitemaps, or lets the next merge delete them. */
export async function expireSitemaps(clickhouse: ClickHouse, verb: 'START' | 'STOP'): Promise<void> {
  for (const table of tables) await clickhouse.command(`SYSTEM ${verb} TTL MERGES ${table}`);
}
