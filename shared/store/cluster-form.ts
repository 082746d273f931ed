/**
 * The form of a schema statement on a cluster: run on every replica, with the replicated engine of its kind. Migrations
 * state the plain form. Path and replica name come from the server (`default_replica_path`, `{replica}`), where the
 * operator of the cluster sets them.
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
/** The server's own number of parts: what a statement says in the plain form must not narrow it. */
const SERVER_WINDOW = 10_000;
/** A week, the default of older servers; newer ones forget after an hour what a broken store may want longer. */
const WINDOW_SECONDS = 604_800;

/** The statement's own object, behind comments: what follows AS is a query and stays as it is. */
const TARGET =
  /^(?:\s|--[^\n]*\n)*(?:CREATE (?:TABLE|(?:MATERIALIZED )?VIEW) IF NOT EXISTS|ALTER TABLE|DROP (?:TABLE|VIEW) IF EXISTS) [A-Za-z_][A-Za-z0-9_]*/;
const ENGINE = /^ENGINE = (|Replacing|Aggregating|Summing)MergeTree\b/m;
