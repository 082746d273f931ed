import type { ClickHouseWriter } from '../clickhouse/client.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';
import type { RobotsVersion, StoredRobotsFetch } from './robots.js';

/** Stores a fetch, and before it the content that it found; a repeat changes nothing. */
export async function insertRobotsFetch(
  writer: ClickHouseWriter,
  websiteId: string,
  fetch: StoredRobotsFetch,
  version: RobotsVersion | null,
): Promise<void> {
  if (version !== null) {
    await insertRows(writer, {
      table: 'robots_versions',
      rows: [
        {
          website_id: websiteId,
          hash: version.hash,
          content: version.content,
          is_truncated: version.isTruncated,
          stored_at: dateTime64(fetch.fetchedAt),
        },
      ],
      deduplicationToken: `robots_versions/${websiteId}/${fetch.fetchedAt}`,
      websiteId,
    });
  }
  await insertRows(writer, {
    table: 'robots_fetches',
    rows: [
      {
        website_id: websiteId,
        fetched_at: dateTime64(fetch.fetchedAt),
        outcome: fetch.outcome,
        http_status: fetch.httpStatus,
        final_url: fetch.finalUrl,
        hash: fetch.hash,
        problem: fetch.problem,
      },
    ],
    deduplicationToken: `robots_fetches/${websiteId}/${fetch.fetchedAt}`,
    websiteId,
  });
}
