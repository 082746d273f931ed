import type { QueryParameter } from '../../store/client.js';
import { storableSecond } from '../../store/column-bounds.js';
import { combine } from './clause.js';
import { coverWindow, joinPieces, type Piece, type Tier } from './cover.js';
import { claimDimensions, type DimensionName, dimensions } from './dimensions.js';
import { type DimensionFilter, dimensionFilters } from './filters.js';
import { type MetricName, ofRequests } from './metrics.js';
import { hasVerification, type Rollup } from './read-tables.js';
import { previousWindow, type Scope } from './scope.js';
import { ruleTargetOf, segmentClause } from './segment-conditions.js';
import { type ClaimScope, joinVerification } from './verification.js';

/**
 * The rows from which a question is folded. Whole buckets come from a rollup's tables, each read once, and the cut edges of the window from
 * the raw rows. So an answer equals a full scan of `requests`: counts, sums, minima and maxima exactly, uniques and quantiles within their
 * estimator's error (metrics.ts).
 */
export interface TableSource {
  /** A table expression, to be used as `FROM (…) AS s`; its rows are partial. */
  readonly sql: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
}

/** The columns that the rows must have. */
export interface Columns {
  readonly dimensions: readonly DimensionName[];
  readonly metrics: readonly MetricName[];
  /** Adds `time`, the start of the hour or UTC day (DateTime), 0 in the previous window. With `hour` no day table is used. */
  readonly time?: 'hour' | 'day' | undefined;
  /** Also reads the previous window, and adds `is_current`. */
  readonly compare?: boolean | undefined;
  /** Further conditions on dimensions of the rollup; their parameters must not start with `scope_` or `filter_`. */
  readonly where?: readonly DimensionFilter[] | undefined;
  /** Part of the parameter names of the window's edges: two sources of one statement may have different edges. */
  readonly edges?: string | undefined;
}

/**
 * Chooses the table of a question: the first rollup with every filter. If there is none, the raw rows of the whole window are read, with
 * the first rollup's filter. A segment also needs the raw rows.
 */
export function chooseRollup(
  candidates: readonly [Rollup, ...Rollup[]],
  { filters }: Scope,
): { rollup: Rollup; tiers: readonly Tier[] } {
  const needed = dimensionFilters(filters).map(({ dimension }) => dimension);
  const able = candidates.find((rollup) => needed.every((dimension) => hasDimension(rollup, dimension)));
  if (able === undefined) return { rollup: candidates[0], tiers: ['raw'] };
  if (filters.segment !== undefined) return { rollup: able, tiers: ['raw'] };
  return { rollup: able, tiers: able.dayTable === undefined ? ['hour', 'raw'] : ['day', 'hour', 'raw'] };
}

/** Whether a question must read the raw rows of the whole window. */
export function readsRawRows(candidates: readonly [Rollup, ...Rollup[]], scope: Scope): boolean {
  return chooseRollup(candidates, scope).tiers[0] === 'raw';
}

function hasDimension(rollup: Rollup, dimension: DimensionName): boolean {
  return dimension === 'verification' ? hasVerification(rollup) : rollup.dimensions.includes(dimension);
}

/**
 * The rows of the scope with these columns, by the rule of `chooseRollup`.
 * @throws Error if the rollup does not have a column: a mistake in the question.
 */
export function tableSourceOf(
  candidates: readonly [Rollup, ...Rollup[]],
  scope: Scope,
  columns: Columns,
): TableSource {
  const { rollup, tiers } = chooseRollup(candidates, scope);
  refuseUnknown(rollup, columns);
  const filters = [...dimensionFilters(scope.filters), ...(columns.where ?? [])];
  const table = {
    rollup,
    scope,
    columns,
    // The verification is computed outside the pieces, which all have its source columns.
    filters: filters.filter(({ dimension }) => dimension !== 'verification'),
    dimensions: storedDimensions(columns.dimensions, filters),
  };
  const { pieces, windows } = cover(scope, columns, columns.time === 'hour' ? tiers.filter(isNotDay) : tiers);
  const params: Record<string, QueryParameter> = {
    scope_website_id: scope.websiteId,
    ...(columns.compare ? { scope_start: Math.max(scope.window.start, 0) } : {}),
  };
  const selects = (['raw', 'hour', 'day'] as const).flatMap((tier) => {
    const ofTier = pieces.filter((piece) => piece.tier === tier);
    const piecesOfTier = joinPieces(ofTier.sort((one, other) => one.start - other.start));
    return piecesOfTier.length === 0 ? [] : [selectTier(tier, piecesOfTier, table, params)];
  });
  return joinVerdicts({ sql: selects.join('\nUNION ALL\n'), params }, filters, columns, {
    ...scope,
    window: { start: windows.at(-1)!.start, end: scope.window.end },
  });
}

const isNotDay = (tier: Tier) => tier !== 'day';

/** Newest window first. */
function cover({ window }: Scope, { compare = false }: Columns, tiers: readonly Tier[]) {
  const windows = compare ? [window, previousWindow(window)] : [window];
  return { windows, pieces: windows.flatMap((one) => coverWindow(one, tiers)) };
}

function storedDimensions(
  wanted: readonly DimensionName[],
  filters: readonly DimensionFilter[],
): DimensionName[] {
  return [...new Set([...wanted, ...(readsVerdicts(wanted, filters) ? claimDimensions : [])])].filter(
    (name) => name !== 'verification',
  );
}

interface Table {
  readonly rollup: Rollup;
  readonly scope: Scope;
  readonly columns: Columns;
  readonly filters: readonly DimensionFilter[];
  readonly dimensions: readonly DimensionName[];
}

function selectTier(
  tier: Tier,
  pieces: readonly Piece[],
  table: Table,
  params: Record<string, QueryParameter>,
): string {
  const prefix = `scope_${table.columns.edges ?? ''}${tier}`;
  const ranges = pieces.map((piece, index) => {
    params[`${prefix}_start_${index}`] = instantOf(piece, piece.start);
    params[`${prefix}_end_${index}`] = instantOf(piece, piece.end);
    const bound = (edge: 'start' | 'end') => boundOf(tier, `${prefix}_${edge}_${index}`);
    return `${columnOf[tier]} >= ${bound('start')} AND ${columnOf[tier]} < ${bound('end')}`;
  });
  const within = ranges.length === 1 ? ranges[0]! : `(${ranges.map((range) => `(${range})`).join(' OR ')})`;
  return tier === 'raw' ? selectRequests(within, table, params) : selectBuckets(tier, within, table, params);
}

const columnOf = { raw: 'r.timestamp', hour: 'hour', day: 'day' } as const;

function boundOf(tier: Tier, parameter: string): string {
  if (tier === 'raw') return `fromUnixTimestamp64Milli({${parameter}: Int64}, 'UTC')`;
  const instant = `toDateTime({${parameter}: UInt32}, 'UTC')`;
  return tier === 'hour' ? instant : `toDate(${instant}, 'UTC')`;
}

function instantOf({ tier }: Piece, instant: number): number {
  return tier === 'raw' ? instant : storableSecond(instant / 1000);
}

/** The start of a row's bucket. */
const timeOf = {
  hour: { raw: "toStartOfHour(r.timestamp, 'UTC')", hour: 'hour', day: null },
  day: {
    raw: "toStartOfDay(r.timestamp, 'UTC')",
    hour: "toStartOfDay(hour, 'UTC')",
    day: "toDateTime(day, 'UTC')",
  },
} as const;

/** The keys `time` and `is_current`; a bucket is completely in one of the windows. The previous window is one bucket, with the time 0. */
function keysOf(tier: Tier, { time, compare }: Columns): string[] {
  const instant = tier === 'day' ? "toDateTime(day, 'UTC')" : columnOf[tier];
  const isCurrent = `${instant} >= fromUnixTimestamp64Milli({scope_start: Int64}, 'UTC')`;
  if (time === undefined) return compare ? [`${isCurrent} AS is_current`] : [];
  const start = timeOf[time][tier];
  return compare
    ? [`if(${isCurrent}, ${start}, toDateTime(0, 'UTC')) AS time`, `${isCurrent} AS is_current`]
    : [`${start} AS time`];
}

function selectBuckets(
  tier: 'hour' | 'day',
  within: string,
  { rollup, columns, filters, dimensions: names }: Table,
  params: Record<string, QueryParameter>,
): string {
  const sqlOf = (name: DimensionName) => rollup.columns?.[name] ?? name;
  const conditions = combine(filters.map(({ dimension, clause }) => clause(sqlOf(dimension))));
  Object.assign(params, conditions.params);
  const aliases = names.map((name) => (sqlOf(name) === name ? name : `${sqlOf(name)} AS ${name}`));
  return `SELECT ${[...keysOf(tier, columns), ...aliases, ...columns.metrics].join(', ')}
FROM ${tier === 'hour' ? rollup.hourTable : rollup.dayTable}
WHERE website_id = {scope_website_id: String} AND ${within}${conditions.sql === '' ? '' : ` AND ${conditions.sql}`}`;
}

function selectRequests(
  within: string,
  { rollup, scope, columns, filters, dimensions: names }: Table,
  params: Record<string, QueryParameter>,
): string {
  const rows = `r.website_id = {scope_website_id: String} AND ${within}`;
  const { segment } = scope.filters;
  const conditions = combine([
    ...filters.map(({ dimension, clause }) => clause(rawSql(dimension))),
    rollup.filter === undefined ? null : { sql: rollup.filter, params: {} },
    segment === undefined ? null : segmentClause(segment, 'scope_segment', ruleTargetOf(rows)),
  ]);
  Object.assign(params, conditions.params);
  const keys = keysOf('raw', columns);
  const aliases = names.map((name) => `${rawSql(name)} AS ${name}`);
  const values = columns.metrics.map((metric) => `${ofRequests(metric)} AS ${metric}`);
  const grouped = [...keys, ...aliases].map((key) => key.slice(key.lastIndexOf(' AS ') + 4));
  return `SELECT ${[...keys, ...aliases, ...values].join(', ')}
FROM requests AS r
WHERE ${rows}${conditions.sql === '' ? '' : ` AND ${conditions.sql}`}
${grouped.length === 0 ? NO_ROW_OF_NOTHING : `GROUP BY ${grouped.join(', ')}`}`;
}

/** Without keys an aggregate over no rows still returns a row, whose minimum time would be 1970. */
const NO_ROW_OF_NOTHING = 'HAVING count() > 0';

function rawSql(dimension: DimensionName): string {
  const sql = dimensions[dimension].ofRequests;
  if (sql === null) throw new Error(`no row of requests has ${dimension}`);
  return sql;
}

/** Whether a source with these dimensions and filters resolves pending claims. */
export function readsVerdicts(
  wanted: readonly DimensionName[],
  filters: readonly DimensionFilter[],
): boolean {
  return wanted.includes('verification') || filters.some(({ dimension }) => dimension === 'verification');
}

function joinVerdicts(
  source: TableSource,
  filters: readonly DimensionFilter[],
  { dimensions: wanted }: Columns,
  claims: ClaimScope,
): TableSource {
  const narrowing = filters.filter(({ dimension }) => dimension === 'verification');
  if (!readsVerdicts(wanted, filters)) return source;
  const joined = joinVerification(source, claims);
  const conditions = combine(narrowing.map(({ clause }) => clause('verification')));
  return {
    sql: `${joined.sql}${conditions.sql === '' ? '' : ` WHERE ${conditions.sql}`}`,
    params: { ...joined.params, ...conditions.params },
  };
}

function refuseUnknown(rollup: Rollup, { dimensions: wanted, metrics }: Columns): void {
  const unknown = [
    ...wanted.filter((dimension) => !hasDimension(rollup, dimension)),
    ...metrics.filter((metric) => !rollup.metrics.includes(metric)),
  ];
  if (unknown.length > 0) throw new Error(`${rollup.hourTable} has no ${unknown.join(', ')}`);
}
