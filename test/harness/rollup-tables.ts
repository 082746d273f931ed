/** SQL of the names of all tables that views over `requests` fill: they count requests. */
export const ROLLUP_TABLES = `SELECT table FROM system.columns
WHERE database = currentDatabase() AND name = 'requests'
  AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%AggregatingMergeTree')
  AND concat(table, '_mv') IN (SELECT name FROM system.tables WHERE database = currentDatabase())`;

/** Which rows of `requests` these rollups count; the others count all. */
export const rollupFilters: Readonly<Record<string, string>> = {
  bots_per_hour: 'is_bot',
  bot_estimates_per_hour: 'is_bot',
  crawler_paths_per_hour: 'is_bot',
  ai_visits_per_hour: "traffic_class = 'human' AND ai_operator != ''",
  devices_per_hour: "traffic_class = 'human'",
};
