/** SQL of the names of all tables that views over `requests` fill; these count requests. */
export const ROLLUP_TABLES = `SELECT table FROM system.columns
WHERE database = currentDatabase() AND name = 'requests'
  AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%AggregatingMergeTree')
  AND concat(table, '_mv') IN (SELECT name FROM system.tables WHERE database = currentDatabase())`;

/** Rows of `requests` that are landings of people from an AI assistant, including errors. */
export const AI_LANDINGS =
  "traffic_class = 'human' AND ai_operator != '' AND method IN ('GET', '') AND file_type IN ('html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp') AND (status BETWEEN 200 AND 299 OR status BETWEEN 400 AND 599)";

/** The rows of `requests` that these rollups count; the others count all. */
export const rollupFilters: Readonly<Record<string, string>> = {
  bots_per_hour: 'is_bot',
  bot_estimates_per_hour: 'is_bot',
  crawler_paths_per_hour: 'is_bot',
  crawler_queries_per_hour: "is_bot AND query != ''",
  not_found_per_hour: 'status = 404',
  ai_visits_per_hour: AI_LANDINGS,
  devices_per_hour: "traffic_class = 'human'",
};
