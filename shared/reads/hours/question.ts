import type { ResolvedMetrics } from '../sql/compose-select.js';
import type { Condition } from '../sql/condition.js';
import type { DimensionName } from '../sql/dimensions.js';
import { type DimensionFilter, dimensionFilters, onPaths } from '../sql/filters.js';
import type { MetricName } from '../sql/metrics.js';
import type { Scope } from '../sql/scope.js';
import { readsPrevious, type Selection } from '../sql/selection.js';
import { chooseRollup } from '../sql/table-source.js';
import {
  isFoldedHere,
  isLatest,
  type KeptRollup,
  keptRollupOf,
  provides,
  type VerdictOf,
  verdictsByClaim,
} from './kept-rollups.js';

/** A selection that kept rows can answer, and its figures. */

export interface Question {
  readonly kept: KeptRollup;
  readonly scope: Scope;
  readonly selection: Selection;
  readonly compared: boolean;
  readonly figures: readonly Figure[];
  readonly filters: readonly Required<DimensionFilter>[];
  readonly verdictOf: VerdictOf;
}

/** A metric of a row of a list. */
export interface Figure {
  /** Its name in the row. */
  readonly name: MetricName | `previous_${MetricName}`;
  readonly metric: MetricName;
  readonly stored: MetricName;
  readonly conditions: readonly { readonly on: DimensionName; readonly passes: Condition }[];
  /** Counts the previous window. */
  readonly previous: boolean;
}

/** null: only the engine can answer. */
export function questionOf(scope: Scope, selection: Selection, resolved: ResolvedMetrics): Question | null {
  const { segment, ...filtersOfRows } = scope.filters;
  const { rollup, tiers } = chooseRollup(selection.from, { ...scope, filters: filtersOfRows });
  const kept = keptRollupOf(rollup, segment);
  if (kept === null || tiers[0] === 'raw' || !hasKnownForm(selection, kept)) return null;
  const figures = figuresOf(selection, resolved);
  if (!figures.every(({ stored }) => isFoldedHere(stored))) return null;
  const { latest = [], distinct = [], where = [], lists } = selection;
  const isByPath = Object.values(lists).every(({ by }) => by.includes('path'));
  const filters = [...dimensionFilters(scope.filters), ...where, ...(isByPath ? [onPaths] : [])];
  const read = [
    ...Object.values(lists).flatMap(({ by }) => by),
    ...latest,
    ...distinct,
    ...filters.map(({ dimension }) => dimension),
    ...figures.flatMap(({ conditions }) => conditions.map(({ on }) => on)),
  ];
  if (!read.every((dimension) => provides(kept, dimension))) return null;
  if (
    (latest.length > 0 || figures.some(({ stored }) => isLatest(stored))) &&
    !kept.metrics.includes('last_seen')
  )
    return null;
  // Too many late verdicts are joined by the engine.
  if (read.includes('verification') && scope.lateVerdicts == null) return null;
  if (!filters.every(hasTest)) return null;
  const compared = readsPrevious(selection);
  const verdictOf = verdictsByClaim(scope.lateVerdicts ?? []);
  return { kept, scope, selection, compared, figures, filters, verdictOf };
}

function hasTest(filter: DimensionFilter): filter is Required<DimensionFilter> {
  return filter.holds !== undefined;
}

/** Whether the lists can be folded here. A value of `latest` must be the text that the engine sorts by. */
function hasKnownForm(
  { limitPer, latest = [], lists, time = 'hour' }: Selection,
  { isLarge }: KeptRollup,
): boolean {
  const all = Object.values(lists);
  return (
    (limitPer === undefined || (all.length === 1 && all[0]!.by.includes(limitPer))) &&
    !latest.some((name) => name === 'client_ip' || name === 'network') &&
    !(isLarge && time === 'hour' && all.some(({ overTime }) => overTime)) &&
    all.every(({ offset = 0, by }) => offset === 0 && !by.includes('crawler_names'))
  );
}

function figuresOf({ metrics, previous = [] }: Selection, resolved: ResolvedMetrics): Figure[] {
  const figure = (metric: MetricName, isPrevious: boolean): Figure => ({
    name: isPrevious ? `previous_${metric}` : metric,
    metric,
    ...resolved.get(metric)!,
    previous: isPrevious,
  });
  return [
    ...metrics.map((metric) => figure(metric, false)),
    ...previous.map((metric) => figure(metric, true)),
  ];
}
