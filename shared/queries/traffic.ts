import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { middleOfBFloat16 } from './bfloat16.js';
import { inStatusClass, merged } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Volume, errors, latency and uniques of all traffic: summary, traffic, status codes, and the totals of other reads. */

const trafficRollup: Rollup = {
  hourTable: 'traffic_per_hour',
  dimensions: { country: 'r.country', traffic_class: 'r.traffic_class', status: 'r.status' },
  metrics: [
    'requests',
    'bytes_sent',
    'timed_requests',
    'time_taken_ms',
    'time_quantiles',
    'client_ips',
    'paths',
  ],
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
  ${merged('time_taken_ms')} AS time_taken_ms,
  ${merged('client_ips')} AS unique_ips`;

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
  unique_ips: count,
});

const quantile = z
  .number()
  .nullable()
  .transform((cut) => (cut === null ? null : middleOfBFloat16(cut)));

const totalsRow = volumeRow.extend({
  unique_human_ips: count,
  unique_paths: count,
  /** p50, p95, p99 in milliseconds, to 1/256 of the value; nulls where no request was timed. */
  time_quantiles: z.tuple([quantile, quantile, quantile]),
});

export type Volume = z.infer<typeof volumeRow>;
export type TrafficTotals = z.infer<typeof totalsRow>;

/** Everything in the window as one row; zeros where there was nothing. */
export async function readTrafficTotals(reader: ClickHouseReader, scope: Scope): Promise<TrafficTotals> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['traffic_class', 'status'],
    metrics: trafficRollup.metrics,
  });
  const [totals] = await reader.read({
    name: 'traffic.totals',
    sql: `SELECT ${volumeColumns},
  ${merged('client_ips', "s.traffic_class = 'human'")} AS unique_human_ips,
  ${merged('paths')} AS unique_paths,
  ${merged('time_quantiles')} AS time_quantiles
FROM (${source.sql}) AS s`,
    params: source.params,
    row: totalsRow,
  });
  return totals!;
}

const bucketRow = volumeRow.extend({ time: z.number() });

/** A bucket's start in milliseconds since the epoch, and what happened in it. */
export type TrafficBucket = z.infer<typeof bucketRow>;

/** Buckets in order of time; those without a request are absent. */
export function readTrafficSeries(
  reader: ClickHouseReader,
  scope: Scope,
  bucket: 'hour' | 'day',
): Promise<TrafficBucket[]> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['traffic_class', 'status'],
    metrics: ['requests', 'bytes_sent', 'timed_requests', 'time_taken_ms', 'client_ips'],
    byHour: true,
  });
  const start = bucket === 'hour' ? 's.hour' : "toStartOfDay(s.hour, 'UTC')";
  return reader.read({
    name: `traffic.per_${bucket}`,
    sql: `SELECT toUnixTimestamp(${start}) * 1000 AS time, ${volumeColumns}
FROM (${source.sql}) AS s
GROUP BY time
ORDER BY time`,
    params: source.params,
    row: bucketRow,
  });
}

const requestTotalsRow = z.object({ requests: count, human_requests: count, unique_ips: count });

export type RequestTotals = z.infer<typeof requestTotalsRow>;

/** The few totals that lists give their shares of. */
export async function readRequestTotals(reader: ClickHouseReader, scope: Scope): Promise<RequestTotals> {
  const source = rollupSource(trafficRollup, scope, {
    dimensions: ['traffic_class'],
    metrics: ['requests', 'client_ips'],
  });
  const [totals] = await reader.read({
    name: 'traffic.request_totals',
    sql: `SELECT ${merged('requests')} AS requests, ${ofClass('human')} AS human_requests,
  ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s`,
    params: source.params,
    row: requestTotalsRow,
  });
  return totals!;
}

const pathTotalsRow = z.object({ requests: count, unique_paths: count });

export async function readPathTotals(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<z.infer<typeof pathTotalsRow>> {
  const source = rollupSource(trafficRollup, scope, { dimensions: [], metrics: ['requests', 'paths'] });
  const [totals] = await reader.read({
    name: 'traffic.path_totals',
    sql: `SELECT ${merged('requests')} AS requests, ${merged('paths')} AS unique_paths
FROM (${source.sql}) AS s`,
    params: source.params,
    row: pathTotalsRow,
  });
  return totals!;
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
