import type { RaisedVersions } from '../../services/api/answer-cache/data-versions.js';
import type { ClickHouse } from '../../shared/store/client.js';

/** Whose rows they are is told by who inserts them (`onStored` of the enricher and the detector), or with the insert. */
const toldByWebsite = ['requests', 'claim_verdicts', 'alerts', 'health_points'];
/** No answer of the API rests on them. */
const unread = [
  ...['upload_blocks', 'control_snapshots', 'api_key_uses', 'job_runs', 'detector_states'],
  ...['detector_arrivals', 'insight_tokens'],
];
const passed: ReadonlySet<string> = new Set([...toldByWebsite, ...unread]);

/**
 * The client, telling of every write after which answers may differ: rows of all other tables, and every statement (an erasure, a
 * repair). A write that says whose rows it changes tells of that website alone, any other of all. A write that fails tells too, for
 * it may have happened.
 * @param versions raised when what was written can be read.
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
