import type { ListedUrl } from '../../sitemaps/walk-sitemaps.js';
import type { SitemapWalk } from '../../sitemaps/walk-tally.js';
import type { ClickHouseWriter } from '../../store/client.js';
import { dateTime64, insertRows } from '../../store/insert-rows.js';
import { inSnakeCase } from '../../store/stored-fields.js';

/** The result of a fetch of a website's sitemaps. A repeated write for the same fetch changes nothing. */

export interface SitemapFetch {
  readonly websiteId: string;
  /** Start of the fetch, milliseconds since the epoch; identifies it. */
  readonly fetchedAt: number;
}

/** @param part number of the insert within the fetch. @throws as `ClickHouseWriter.insert` */
export async function insertSitemapUrls(
  writer: ClickHouseWriter,
  { websiteId, fetchedAt }: SitemapFetch,
  urls: readonly ListedUrl[],
  part: number,
): Promise<void> {
  const at = dateTime64(fetchedAt);
  await insertRows(writer, {
    table: 'sitemap_urls',
    rows: urls.map(({ path, query, url, sitemap, lastmod }) => ({
      website_id: websiteId,
      path,
      query,
      first_seen: at,
      last_seen: at,
      listed: { at, url, sitemap, lastmod: dateTime64(lastmod ?? 0) },
    })),
    deduplicationToken: `sitemap_urls/${websiteId}/${fetchedAt}/${part}`,
    websiteId,
  });
}

/** The commit marker of a fetch, written last. @param finishedAt milliseconds since the epoch. @throws as `ClickHouseWriter.insert` */
export async function insertSitemapFetch(
  writer: ClickHouseWriter,
  { websiteId, fetchedAt }: SitemapFetch,
  { reason, problems, ...found }: SitemapWalk,
  finishedAt: number,
): Promise<void> {
  await insertRows(writer, {
    table: 'sitemap_fetches',
    rows: [
      {
        website_id: websiteId,
        fetched_at: dateTime64(fetchedAt),
        finished_at: dateTime64(finishedAt),
        ...inSnakeCase(found),
        reason: reason ?? '',
        problems: JSON.stringify(problems),
      },
    ],
    deduplicationToken: `sitemap_fetches/${websiteId}/${fetchedAt}`,
    websiteId,
  });
}
