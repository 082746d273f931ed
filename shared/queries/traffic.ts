import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { type Estimates, readEstimates, readUniqueIpsSeries } from './estimates.js';
import { inStatusClass, merged } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Volume, errors, latency and uniques of all traffic, and how it was answered. */

const trafficRollup: Rollup = {
  hourTable: 'traffic_per_hour',
  dimensions: { country: 'r.country', traffic_class: 'r.traffic_class', status: 'r.status' },
  metrics: ['requests', 'bytes_sent', 'timed_requests', 'time_taken_ms'],
};

const ofClass = (trafficClass: string) => merged('requests', `s.traffic_class = '${trafficClass}'`);
const ofStatus = (statusClass: 2 | 3 | 4 | 5) => merged('requests', inStatusClass('s.status', statusClass));

const volumeColumns = `
  ${merged('requests')} AS requests,
  ${ofClass('human')} AS human_requests,
  ${ofClass('search_bot')} AS search_bot_requests,
  ${ofClass('ai_bot')} AS ai_bot_requests,
  ${ofClass('other_bot')} AS other_bot_requests,
  ${ofStatus(2)} AS status_2xx,
  ${ofStatus(3)} AS status_3xx,
  ${ofStatus(4)} AS status_4xx,
  ${ofStatus(5)} AS status_5xx,
  ${merged('bytes_sent')} AS bytes_sent,
  ${merged('timed_requests')} AS timed_requests,
  ${merged('time_taken_ms')} AS time_taken_ms`;

const count = z.number();

const volumeRow = z.object({
  requests: count,
  human_requests: count,
  search_bot_requests: count,
  ai_bot_requests: count,
  other_bot_requests: count,
  status_2xx: count,
  status_3xx: count,
  status_4xx: count,
  status_5xx: count,
  bytes_sent: count,
  timed_requests: count,
  time_taken_ms: count,
});

export type Volume = z.infer<typeof volumeRow>;
export type TrafficTotals = Volume & Estimates;

/** Everything in the window as one row; zeros where there was nothing. */
export async function readTrafficTotals(reader: ClickHouseReader, scope: Scope): Promise<TrafficTotals> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['traffic_class', 'status'],
    metrics: trafficRollup.metrics,
  });
  const [[volume], estimates] = await Promise.all([
    reader.read({
      name: 'traffic.totals',
      sql: `SELECT ${volumeColumns}
FROM (${source.sql}) AS s`,
      params: source.params,
      row: volumeRow,
    }),
    readEstimates(reader, scope),
  ]);
  return { ...volume!, ...estimates };
}

const bucketRow = volumeRow.extend({ time: z.number() });

/** What happened in an hour or UTC day; `time` is its start in milliseconds since the epoch. */
export interface TrafficBucket extends z.infer<typeof bucketRow> {
  readonly unique_ips: number;
}

/** Buckets in order of time; those without a request are absent. */
export async function readTrafficSeries(
  reader: ClickHouseReader,
  scope: Scope,
  bucket: 'hour' | 'day',
): Promise<TrafficBucket[]> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['traffic_class', 'status'],
    metrics: trafficRollup.metrics,
    byHour: true,
  });
  const start = bucket === 'hour' ? 's.hour' : "toStartOfDay(s.hour, 'UTC')";
  const [buckets, uniques] = await Promise.all([
    reader.read({
      name: `traffic.per_${bucket}`,
      sql: `SELECT toUnixTimestamp(${start}) * 1000 AS time, ${volumeColumns}
FROM (${source.sql}) AS s
GROUP BY time
ORDER BY time`,
      params: source.params,
      row: bucketRow,
    }),
    readUniqueIpsSeries(reader, scope, bucket),
  ]);
  const uniqueIps = new Map(uniques.map(({ time, unique_ips }) => [time, unique_ips]));
  return buckets.map((row) => ({ ...row, unique_ips: uniqueIps.get(row.time) ?? 0 }));
}

const statusRow = z.object({
  status: z.number(),
  requests: count,
  human_requests: count,
  bytes_sent: count,
});

/** By status, ascending. */
export function readStatusCounts(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<z.infer<typeof statusRow>[]> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['traffic_class', 'status'],
    metrics: ['requests', 'bytes_sent'],
  });
  return reader.read({
    name: 'traffic.statuses',
    sql: `SELECT s.status AS status, ${merged('requests')} AS requests, ${ofClass('human')} AS human_requests,
  ${merged('bytes_sent')} AS bytes_sent
FROM (${source.sql}) AS s
GROUP BY status
ORDER BY status`,
    params: source.params,
    row: statusRow,
  });
}

const statusBucketRow = z.object({ time: z.number(), status: z.number(), requests: count });

/** By hour (its start in milliseconds) and status, in this order; what did not happen is absent. */
export function readStatusSeries(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<z.infer<typeof statusBucketRow>[]> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['status'],
    metrics: ['requests'],
    byHour: true,
  });
  return reader.read({
    name: 'traffic.statuses_per_hour',
    sql: `SELECT toUnixTimestamp(s.hour) * 1000 AS time, s.status AS status, ${merged('requests')} AS requests
FROM (${source.sql}) AS s
GROUP BY time, status
ORDER BY time, status`,
    params: source.params,
    row: statusBucketRow,
  });
}
