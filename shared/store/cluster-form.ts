/**
 * Converts a schema statement to its cluster form: executed on every replica, with the replicated engine. Migrations
 * contain the plain form. Path and replica name come from the server (`default_replica_path`, `{replica}`), configured
 * by the cluster's operator.
 */
export function toClusterForm(statement: string, cluster: string): string {
  return statement
    .replace(TARGET, (head) => `${head} ON CLUSTER '${cluster}'`)
    .replace(ENGINE, 'ENGINE = Replicated$1MergeTree')
    .replace(WINDOW, (_, parts) => {
      const window = Math.max(Number(parts), SERVER_WINDOW);
      return `replicated_deduplication_window = ${window}, replicated_deduplication_window_seconds = ${WINDOW_SECONDS}`;
    });
}

const WINDOW = /non_replicated_deduplication_window = (\d+)/g;
/** The server's default number of parts, which the plain form must not reduce. */
const SERVER_WINDOW = 10_000;
/** A week, the default of older servers. Newer ones forget after an hour, too soon for a recovering store. */
const WINDOW_SECONDS = 604_800;

/** The object that the statement creates, after comments. The query after AS is unchanged. */
const TARGET =
  /^(?:\s|--[^\n]*\n)*(?:CREATE (?:TABLE|(?:MATERIALIZED )?VIEW) IF NOT EXISTS|ALTER TABLE|DROP (?:TABLE|VIEW) IF EXISTS) [A-Za-z_][A-Za-z0-9_]*/;
const ENGINE = /^ENGINE = (|Replacing|Aggregating|Summing)MergeTree\b/m;
