import type { ClickHouse } from '../../shared/clickhouse/client.js';

/** Whose rows they are is told by who inserts them (`onStored` of the enricher). */
const toldByWebsite = ['requests', 'claim_verdicts'];
/** No answer of the API rests on them. */
const unread = ['upload_blocks', 'control_snapshots', 'api_key_uses'];
const passed: ReadonlySet<string> = new Set([...toldByWebsite, ...unread]);

/**
 * The client, telling of every write after which answers may differ: rows of all other tables, and every statement (an erasure, a
 * repair). A write that fails tells too, for it may have happened.
 * @param onWritten called when what was written can be read.
 */
export function watchWrites(clickhouse: ClickHouse, onWritten: () => void): ClickHouse {
  return {
    ...clickhouse,
    insert: (options) =>
      passed.has(options.table) ? clickhouse.insert(options) : clickhouse.insert(options).finally(onWritten),
    command: (...statement) => clickhouse.command(...statement).finally(onWritten),
  };
}
