import type { RaisedVersions } from '../../services/api/answer-cache/data-versions.js';
import type { ClickHouse } from '../../shared/store/client.js';

/** Tables whose writers report the websites (`onStored` of the enricher and the detector), or name them in the insert. */
const toldByWebsite = ['requests', 'claim_verdicts', 'alerts', 'health_points'];
/** Tables that no answer of the API depends on. */
const unread = [
  ...['upload_blocks', 'control_snapshots', 'api_key_uses', 'job_runs', 'detector_states'],
  ...['detector_arrivals', 'insight_tokens'],
];
const passed: ReadonlySet<string> = new Set([...toldByWebsite, ...unread]);

/**
 * Wraps the client and raises data versions after every write that may change answers: inserts into all other tables, and all statements
 * (an erasure, a repair). A write that names its website affects only that website; other writes affect all. A failed write counts,
 * too, since it may have been stored.
 * @param versions raised when the written rows are readable.
 */
export function watchWrites(
  clickhouse: ClickHouse,
  versions: Pick<RaisedVersions, 'raise' | 'raiseAll'>,
): ClickHouse {
  const written = (websiteId: unknown) => () => {
    if (typeof websiteId === 'string') versions.raise([websiteId]);
    else versions.raiseAll();
  };
  return {
    ...clickhouse,
    insert: (options) =>
      passed.has(options.table) && options.websiteId === undefined
        ? clickhouse.insert(options)
        : clickhouse.insert(options).finally(written(options.websiteId)),
    command: (sql, params, ...settings) =>
      clickhouse.command(sql, params, ...settings).finally(written(params?.website_id)),
  };
}
