import { z } from 'zod';
import { type DimensionName, dimensions, inLowerCase } from '../sql/dimensions.js';
import { claimOf, type LateVerdicts } from '../sql/late-verdicts.js';
import { type MetricName, metrics } from '../sql/metrics.js';
import { bots, type Rollup, traffic } from '../sql/read-tables.js';

/** The rollups that have few rows in an hour, and what is kept of them. */

/** A value of a dimension. */
export type Value = string | number;

export interface KeptRollup {
  readonly rollup: Rollup;
  /** Columns; derived dimensions are computed from them. */
  readonly dimensions: readonly DimensionName[];
  /** Metrics that add up in this process. */
  readonly metrics: readonly MetricName[];
}

/** Keeps all dimensions, and all metrics except the states of estimators. */
const keptOf = (rollup: Rollup): KeptRollup => ({
  rollup,
  dimensions: rollup.dimensions.filter((dimension) => !derivedDimensions.has(dimension)),
  metrics: rollup.metrics.filter(isAddedHere),
});

/** Whether stored values of the metric are folded in this process. */
export function isAddedHere(metric: MetricName): boolean {
  const { kind } = metrics[metric].fold;
  return kind === 'sum' || kind === 'min' || kind === 'max';
}

interface Derived {
  readonly from: readonly DimensionName[];
  of(values: readonly Value[], verdictOf: VerdictOf): unknown;
}

/** The late verdict on a claim, by `claimOf`. */
export type VerdictOf = ReadonlyMap<string, string>;

/** Dimensions that are computed from others. */
export const derivedDimensions: ReadonlyMap<DimensionName, Derived> = new Map<DimensionName, Derived>([
  ['status_class', { from: ['status'], of: ([status]) => Math.floor((status as number) / 100) }],
  [
    'crawler_names',
    { from: ['bot_name', 'bot_family'], of: (names) => names.map((name) => inLowerCase(name as string)) },
  ],
  [
    'verification',
    {
      from: ['bot_verification', 'bot_family', 'pending_ip'],
      of: ([stored, family, ip], verdictOf) =>
        stored === 'pending' ? (verdictOf.get(claimOf(family as string, ip as string)) ?? stored) : stored,
    },
  ],
]);

export function verdictsByClaim(verdicts: LateVerdicts): VerdictOf {
  return new Map((verdicts ?? []).map(({ claim, status }) => [claim, status]));
}

/** Every question about `referrers`, `devices` and `locations` also counts distinct addresses, so the engine answers it. */
const kept = new Map([traffic, bots].map((one) => [one, keptOf(one)]));

/** null: its rows are not kept. */
export function keptRollupOf(rollup: Rollup): KeptRollup | null {
  return kept.get(rollup) ?? null;
}

/** SQL of a kept column. @param column SQL of the stored dimension */
export function keptDimension(dimension: DimensionName, column: string): string {
  return dimension === 'pending_ip' ? `toString(${column})` : column;
}

/** SQL of a kept column. @param column SQL of the stored or folded metric */
export function keptMetric(metric: MetricName, column: string): string {
  const definition = metrics[metric];
  return 'toAnswer' in definition ? definition.toAnswer(column) : column;
}

export const isNumber = (dimension: DimensionName): boolean =>
  dimensions[dimension].type instanceof z.ZodNumber;
