import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { middleOfBFloat16 } from './bfloat16.js';
import { type MetricName, merged } from './metrics.js';
import { type Question, type Rollup, rollupSource, type Source } from './rollup.js';
import type { Scope } from './scope.js';

/** Distinct addresses, distinct paths and quantiles of the time taken, over all traffic. */

const metrics: readonly MetricName[] = ['requests', 'time_quantiles', 'client_ips', 'paths'];

const estimatesRollup: Rollup = {
  hourTable: 'estimates_per_hour',
  dayTable: 'estimates_per_day',
  dimensions: { is_bot: 'r.is_bot' },
  metrics,
};

const countryEstimatesRollup: Rollup = {
  hourTable: 'country_estimates_per_hour',
  dimensions: { country: 'r.country', is_bot: 'r.is_bot' },
  metrics,
};

function estimateSource(scope: Scope, question: Question): Source {
  return rollupSource(scope.countries.length > 0 ? countryEstimatesRollup : estimatesRollup, scope, question);
}

const count = z.number();

const quantile = z
  .number()
  .nullable()
  .transform((cut) => (cut === null ? null : middleOfBFloat16(cut)));

const estimatesRow = z.object({
  unique_ips: count,
  unique_human_ips: count,
  unique_paths: count,
  /** p50, p95, p99 in milliseconds, to 1/256 of the value; nulls where no request was timed. */
  time_quantiles: z.tuple([quantile, quantile, quantile]),
});

export type Estimates = z.output<typeof estimatesRow>;

export async function readEstimates(reader: ClickHouseReader, scope: Scope): Promise<Estimates> {
  const source = estimateSource(scope, { dimensions: ['is_bot'], metrics });
  const [estimates] = await reader.read({
    name: 'estimates.all',
    sql: `SELECT ${merged('client_ips')} AS unique_ips, ${merged('client_ips', 'NOT s.is_bot')} AS unique_human_ips,
  ${merged('paths')} AS unique_paths, ${merged('time_quantiles')} AS time_quantiles
FROM (${source.sql}) AS s`,
    params: source.params,
    row: estimatesRow,
  });
  return estimates!;
}

const uniqueIpsRow = z.object({ time: z.number(), unique_ips: count });

/** Distinct addresses by hour or UTC day, named by its start in milliseconds; empty ones are absent. */
export function readUniqueIpsSeries(
  reader: ClickHouseReader,
  scope: Scope,
  bucket: 'hour' | 'day',
): Promise<z.infer<typeof uniqueIpsRow>[]> {
  const source = estimateSource(scope, { dimensions: [], metrics: ['client_ips'], byHour: true });
  const start = bucket === 'hour' ? 's.hour' : "toStartOfDay(s.hour, 'UTC')";
  return reader.read({
    name: `estimates.ips_per_${bucket}`,
    sql: `SELECT toUnixTimestamp(${start}) * 1000 AS time, ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s
GROUP BY time
ORDER BY time`,
    params: source.params,
    row: uniqueIpsRow,
  });
}

const requestTotalsRow = z.object({ requests: count, human_requests: count, unique_ips: count });

export type RequestTotals = z.infer<typeof requestTotalsRow>;

/** The few totals that lists give their shares of. */
export async function readRequestTotals(reader: ClickHouseReader, scope: Scope): Promise<RequestTotals> {
  const source = estimateSource(scope, { dimensions: ['is_bot'], metrics: ['requests', 'client_ips'] });
  const [totals] = await reader.read({
    name: 'estimates.request_totals',
    sql: `SELECT ${merged('requests')} AS requests, ${merged('requests', 'NOT s.is_bot')} AS human_requests,
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
  const source = estimateSource(scope, { dimensions: [], metrics: ['requests', 'paths'] });
  const [totals] = await reader.read({
    name: 'estimates.path_totals',
    sql: `SELECT ${merged('requests')} AS requests, ${merged('paths')} AS unique_paths
FROM (${source.sql}) AS s`,
    params: source.params,
    row: pathTotalsRow,
  });
  return totals!;
}
