import type { ClickHouse } from '../store/client.js';
import type { DataChange } from './data-change.js';

/** Tables whose writers report their inserts (`onStored` of the enricher and the detector), or name the website in the insert. */
const reported = ['requests', 'claim_verdicts', 'alerts', 'health_points'];
/** Tables that no answer of the API depends on. */
const unread = [
  ...['upload_blocks', 'control_snapshots', 'api_key_uses', 'job_runs', 'detector_states'],
  ...['detector_arrivals', 'insight_tokens'],
];
/** Inserts into these are not reported here, unless they name a website. */
const notReported: ReadonlySet<string> = new Set([...reported, ...unread]);

/** Tables that no rollup of requests is filled from. The others are `requests` and its rollups. */
export const tablesBesideRows: ReadonlySet<string> = new Set([
  ...unread,
  ...['claim_verdicts', 'alerts', 'alert_acknowledgements', 'health_points', 'notification_deliveries'],
  ...['analytics_days', 'analytics_pages', 'analytics_sources', 'source_syncs', 'index_inspections'],
  ...['search_days', 'search_pages', 'search_queries', 'search_page_queries'],
  ...['crawl_findings', 'crawl_links', 'crawl_pages', 'crawl_ranks', 'check_verdicts', 'insights'],
  ...['crawled_paths', 'page_importance', 'page_importance_builds', 'site_events'],
  ...['robots_fetches', 'robots_versions', 'sitemap_fetches', 'sitemap_urls'],
  ...['crawler_lists', 'crawler_list_checks', 'erasing', 'export_rows'],
]);

/**
 * Wraps the client and reports every write that may change answers: inserts into all other tables, and all statements (an erasure, a
 * repair). A write that names its website affects only that website; other writes affect all. A failed write counts, too, since it may
 * have been stored.
 * @param onChanged called when the written rows are readable.
 */
export function watchWrites(
  clickhouse: ClickHouse,
  onChanged: (changes: readonly DataChange[]) => void,
): ClickHouse {
  const written = (websiteId: unknown, table: string | undefined) => () =>
    onChanged([
      {
        websiteId: typeof websiteId === 'string' ? websiteId : null,
        keepsRows: table !== undefined && tablesBesideRows.has(table),
      },
    ]);
  return {
    ...clickhouse,
    insert: (options) =>
      notReported.has(options.table) && options.websiteId === undefined
        ? clickhouse.insert(options)
        : clickhouse.insert(options).finally(written(options.websiteId, options.table)),
    command: (sql, params, ...settings) =>
      clickhouse.command(sql, params, ...settings).finally(written(params?.website_id, changedTable(sql))),
  };
}

/** The table that a statement of this program changes, if it begins with it. */
function changedTable(sql: string): string | undefined {
  return /^(?:INSERT INTO|ALTER TABLE) (\w+) /.exec(sql)?.[1];
}
