import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { asIpv6, clientIpText, networkText } from '../sql/client-ip.js';
import { type DimensionName, dimensions, inLowerCase, pathStart, queryStart } from '../sql/dimensions.js';
import type { LateVerdicts } from '../sql/late-verdicts.js';
import { type MetricName, metrics } from '../sql/metrics.js';
import {
  botEstimates,
  bots,
  clientIps,
  crawlerPaths,
  crawlerQueries,
  devices,
  estimates,
  locations,
  notFound,
  paths,
  type Rollup,
  referrers,
  traffic,
} from '../sql/read-tables.js';
import type { SegmentRules } from '../sql/segment-conditions.js';
import { isMergedHere } from './state-columns.js';

/** The rollups whose rows are kept, and what is kept of them. */

/** A value of a column. */
export type Value = string | number | boolean;

type LatestMetric = 'asn' | 'as_name';

/** A dimension, or a metric whose value is that of the latest request. */
export type ColumnName = DimensionName | LatestMetric;

/** Whether the column has the values of a metric, and not of a dimension. */
export function isMetric(column: ColumnName): column is LatestMetric {
  return column === 'asn' || column === 'as_name';
}

export interface KeptRollup {
  /** For the rows of a segment, its `hourTable` names no table. */
  readonly rollup: Rollup;
  /** Only its requests count. No table has such rows, so they are grouped from raw rows. */
  readonly segment?: SegmentRules;
  /**
   * Whether a day has many rows. Then a complete day is read as one bucket, with a row for each combination of values. The hours
   * of other days are read by hour.
   */
  readonly isLarge: boolean;
  /** Stored dimensions, and metrics of the latest request. Other dimensions are derived from these columns. */
  readonly columns: readonly ColumnName[];
  /** Sums, minima and maxima. */
  readonly metrics: readonly MetricName[];
  /** Metrics whose estimators' states are merged in this process. */
  readonly states: readonly MetricName[];
}

/** Keeps all dimensions and metrics. */
const keptOf = (rollup: Rollup, isLarge: boolean): KeptRollup => ({
  rollup,
  isLarge,
  columns: [
    ...rollup.dimensions.filter((name) => !derivedDimensions.has(name)),
    ...rollup.metrics.filter(isLatest),
  ],
  metrics: rollup.metrics.filter(isAddedUp),
  states: rollup.metrics.filter(isMergedHere),
});

const isAddedUp = (metric: MetricName) => ['sum', 'min', 'max'].includes(metrics[metric].fold.kind);

/** Whether the metric's value is that of the latest request. */
export function isLatest(metric: MetricName): metric is LatestMetric {
  return metrics[metric].fold.kind === 'latest';
}

/** Whether stored values of the metric are folded in this process. */
export function isFoldedHere(metric: MetricName): boolean {
  return isAddedUp(metric) || isLatest(metric) || isMergedHere(metric);
}

export interface Derived {
  readonly from: readonly DimensionName[];
  of(values: readonly Value[]): unknown;
}

/** The late verdict on a claim, by `claimOf`. */
export type VerdictOf = ReadonlyMap<string, string>;

/** Dimensions that are computed from others, in each rollup. */
const derivedDimensions: ReadonlyMap<DimensionName, Derived> = new Map<DimensionName, Derived>([
  ['status_class', { from: ['status'], of: ([status]) => Math.floor((status as number) / 100) }],
  [
    'crawler_names',
    { from: ['bot_name', 'bot_family'], of: (names) => names.map((name) => inLowerCase(name as string)) },
  ],
  ['path_start', { from: ['path'], of: ([path]) => pathStart(path as string) }],
  ['query_start', { from: ['query'], of: ([query]) => queryStart(query as string) }],
]);

/** `pending_ip` of a rollup that only stores the address of the client. */
const claimAddress: Derived = { from: ['client_ip'], of: ([ip]) => asIpv6(ip as string) };

/** null: it is not computed from others. */
export function derivedOf(rollup: Rollup, dimension: DimensionName): Derived | null {
  if (dimension === 'pending_ip') return rollup.columns?.pending_ip === 'client_ip' ? claimAddress : null;
  return derivedDimensions.get(dimension) ?? null;
}

/** Whether the rows provide the dimension. */
export function provides({ columns, rollup }: KeptRollup, dimension: DimensionName): boolean {
  return columns.includes(dimension) || dimension === 'verification' || derivedOf(rollup, dimension) !== null;
}

/** The late verdicts for look-ups by claim; none if there are too many. */
export function verdictsByClaim(verdicts: LateVerdicts): VerdictOf {
  return new Map((verdicts ?? []).map(({ claim, status }) => [claim, status]));
}

const small = [traffic, bots, estimates, botEstimates, locations, referrers, devices];

const kept = new Map([
  ...small.map((one) => [one, keptOf(one, false)] as const),
  ...[paths, clientIps, crawlerPaths, crawlerQueries, notFound].map(
    (one) => [one, keptOf(one, true)] as const,
  ),
]);

/** null: its rows are not kept. @param segment if only its requests count */
export function keptRollupOf(rollup: Rollup, segment?: SegmentRules): KeptRollup | null {
  const all = kept.get(rollup) ?? null;
  if (all === null || segment === undefined) return all;
  return { ...all, segment, rollup: { ...rollup, hourTable: `${rollup.hourTable} ${digestOf(segment)}` } };
}

function digestOf({ rules, excludeRules }: SegmentRules): string {
  return createHash('sha256')
    .update(JSON.stringify([rules, excludeRules]))
    .digest('base64');
}

/** SQL of a kept column. @param column SQL of the stored dimension */
export function keptColumn(name: ColumnName, column: string): string {
  if (name === 'client_ip') return clientIpText(column);
  if (name === 'network') return networkText(column);
  return name === 'pending_ip' ? `toString(${column})` : column;
}

/** SQL of a kept metric. @param column SQL of the stored or folded metric */
export function keptMetric(metric: MetricName, column: string): string {
  const definition = metrics[metric];
  return 'toAnswer' in definition ? definition.toAnswer(column) : column;
}

/** The type of a column's values. */
export function typeOf(name: ColumnName): z.ZodType {
  return isMetric(name) ? metrics[name].type : dimensions[name].type;
}
