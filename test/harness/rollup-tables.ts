/** SQL of the names of all tables that views over `requests` fill: they count requests. */
export const ROLLUP_TABLES = `SELECT table FROM system.columns
WHERE database = currentDatabase() AND name = 'requests'
  AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%AggregatingMergeTree')
  AND concat(table, '_mv') IN (SELECT name FROM system.tables WHERE database = currentDatabase())`;
