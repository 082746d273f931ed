/**
 * The form that a schema statement takes on a cluster: created on every replica, by the replicated engine of its kind. The
 * migrations say the plain form; this is the one place that knows the other. An INSERT … SELECT stays as it is: the replica
 * that runs it passes the rows on.
 *
 * Path and replica name are left to the server (`default_replica_path`, `{replica}`), where the operator of the cluster
 * decides them.
 */
export function toClusterForm(statement: string, cluster: string): string {
  return statement
    .replace(TARGET, (head) => `${head} ON CLUSTER '${cluster}'`)
    .replace(ENGINE, 'ENGINE = Replicated$1MergeTree')
    .replaceAll('non_replicated_deduplication_window', 'replicated_deduplication_window');
}

/** The statement's own object, behind comments: what follows AS is a query and stays as it is. */
const TARGET =
  /^(?:\s|--[^\n]*\n)*(?:CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS|ALTER TABLE|TRUNCATE TABLE IF EXISTS|DROP (?:TABLE|VIEW) IF EXISTS) [A-Za-z_][A-Za-z0-9_]*/;
const ENGINE = /^ENGINE = (|Replacing|Aggregating|Summing)MergeTree\b/m;
