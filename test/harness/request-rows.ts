/**
 * Rows of the table `requests` for tests of the store itself: plain, deterministic, spread over every rollup.
 */
import { AI_LANDINGS } from './rollup-tables.js';

export const requestRowColumns = [
  'website_id',
  'timestamp',
  'received_at',
  'log_offset',
  'log_index',
  'client_ip',
  'path',
  'status',
  'bytes_sent',
  'time_taken_ms',
  'referrer_domain',
  'traffic_class',
  'is_bot',
  'bot_name',
  'bot_verification',
  'country',
  'device_type',
  'retention_days',
] as const;

export interface RequestRowsOptions {
  readonly rows: number;
  /** The value of log_offset, so that batches differ. */
  readonly batch: number;
  readonly websiteId?: string;
  /** Milliseconds since the epoch of the first row; each later one is 10 ms after. */
  readonly start?: number;
}

const statuses = [200, 200, 200, 301, 404, 403, 500];
const countries = ['US', 'DE', 'JP'];

/** TabSeparated, in the order of {@link requestRowColumns}. A third are bots, some of them rejected. */
export function requestRows({
  rows,
  batch,
  websiteId = 'w1',
  start = Date.UTC(2026, 9, 1),
}: RequestRowsOptions): Buffer {
  const lines: string[] = [];
  for (let index = 0; index < rows; index++) {
    const seed = batch * 7919 + index;
    const bot = seed % 3 === 0;
    const time = (start + index * 10) / 1000;
    lines.push(
      [
        websiteId,
        time.toFixed(3),
        Math.floor(time),
        batch,
        index,
        `::ffff:10.${(seed >> 8) % 250}.${seed % 250}.1`,
        `/product-${seed % 97}/`,
        statuses[seed % statuses.length],
        100 + (seed % 1000),
        seed % 11 === 0 ? '\\N' : seed % 500,
        seed % 5 === 0 ? 'google.com' : '',
        bot ? 'search_bot' : 'human',
        bot ? 1 : 0,
        bot ? 'Googlebot' : '',
        bot ? 'verified' : '',
        countries[seed % countries.length],
        bot ? 'bot' : 'desktop',
        3650,
      ].join('\t'),
    );
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/**
 * One row of counts: the raw table, and each rollup by the sum of its requests. If every row is stored once,
 * they equal {@link expectedCounts}.
 */
export const countsSql = `SELECT
    (SELECT count() FROM requests) AS requests,
    (SELECT sum(requests) FROM receipts_per_day) AS receipts_per_day,
    (SELECT sum(requests) FROM traffic_per_hour) AS traffic_per_hour,
    (SELECT sum(requests) FROM bots_per_hour) AS bots_per_hour,
    (SELECT countIf(is_bot) FROM requests) AS bots,
    (SELECT sum(requests) FROM crawler_paths_per_hour) AS crawler_paths_per_hour,
    (SELECT sum(requests) FROM crawler_queries_per_hour) AS crawler_queries_per_hour,
    (SELECT countIf(is_bot AND query != '') FROM requests) AS crawler_queries,
    (SELECT sum(requests) FROM ai_visits_per_hour) AS ai_visits_per_hour,
    (SELECT countIf(${AI_LANDINGS}) FROM requests) AS ai_visits,
    (SELECT sum(requests) FROM not_found_per_hour) AS not_found_per_hour,
    (SELECT countIf(status = 404) FROM requests) AS not_found,
    (SELECT sum(requests) FROM paths_per_hour) AS paths_per_hour,
    (SELECT sum(requests) FROM paths_per_day) AS paths_per_day,
    (SELECT sum(requests) FROM hosts_per_hour) AS hosts_per_hour,
    (SELECT sum(requests) FROM locations_per_hour) AS locations_per_hour,
    (SELECT sum(requests) FROM client_ips_per_hour) AS client_ips_per_hour,
    (SELECT sum(requests) FROM referrers_per_hour) AS referrers_per_hour,
    (SELECT sum(requests) FROM devices_per_hour) AS devices_per_hour,
    (SELECT countIf(traffic_class = 'human') FROM requests) AS humans`;

export type Counts = Record<string, number>;

/** The counts if the rollups agree with `rows` raw rows. */
export function expectedCounts(rows: number, counts: Counts): Counts {
  const { bots = 0, crawler_queries = 0, ai_visits = 0, not_found = 0, humans = 0 } = counts;
  return {
    ...Object.fromEntries(Object.keys(counts).map((name) => [name, rows])),
    bots_per_hour: bots,
    bots,
    crawler_paths_per_hour: bots,
    crawler_queries_per_hour: crawler_queries,
    crawler_queries,
    ai_visits_per_hour: ai_visits,
    ai_visits,
    not_found_per_hour: not_found,
    not_found,
    devices_per_hour: humans,
    humans,
  };
}
