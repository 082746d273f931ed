import type { QueryParameter } from '../clickhouse/client.js';
import { type Clause, combine } from './clause.js';
import { coverWindow, type Piece } from './cover.js';
import { type MetricName, ofRequests } from './metrics.js';
import type { Scope } from './scope.js';
import { ruleTargetOf, segmentClause } from './segments.js';

/**
 * A rollup, and how a question is put to it: whole buckets come from its tables, the cut edges of the window from
 * the raw rows, so that an answer equals a full scan of `requests`: counts, sums, minima and maxima to the last
 * one, uniques and quantiles within their estimator's error (shared/queries/metrics.ts). No rollup knows whole paths
 * and query strings: a segment is read from the raw rows alone (spec §2.1).
 */
export interface Rollup {
  readonly hourTable: string;
  /** The same figures by whole UTC day. */
  readonly dayTable?: string;
  /** Which requests it holds, over `requests AS r`: the WHERE of its view. */
  readonly filter?: string;
  /** Column → SQL over `requests AS r`. One without `country` answers for chosen countries from raw rows alone. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly metrics: readonly MetricName[];
}

/** SQL of a table expression, with what it binds. */
export interface Source {
  readonly sql: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
}

export interface Question {
  /** Columns of the rollup that the answer is split by or filtered by later. */
  readonly dimensions: readonly string[];
  readonly metrics: readonly MetricName[];
  /** Adds the column `hour`, the start of the hour; no day table is used then. */
  readonly byHour?: boolean;
  /** A further condition on dimensions; its parameters must not start with `scope_`. */
  readonly where?: Clause;
}

/**
 * A subselect, to be used as `FROM (…) AS s`, whose rows are partial: fold them with `merged` and GROUP BY.
 * @throws Error where the rollup lacks a dimension or metric that the question asks for.
 */
export function rollupSource(rollup: Rollup, scope: Scope, asked: Question): Source {
  refuseUnknown(rollup, asked);
  const question = inSegment(asked, scope);
  const pieces = coverWindow(scope.window, tiersFor(rollup, scope, question));
  const params: Record<string, QueryParameter> = {
    scope_website_id: scope.websiteId,
    ...question.where?.params,
  };
  if (scope.countries.length > 0) params.scope_countries = scope.countries;
  const selects = pieces.map((piece, index) => {
    params[`scope_start_${index}`] = instantOf(piece, piece.start);
    params[`scope_end_${index}`] = instantOf(piece, piece.end);
    return piece.tier === 'raw'
      ? selectRequests(rollup, scope, question, index)
      : selectBuckets(rollup, scope, question, piece.tier, index);
  });
  return { sql: selects.join('\nUNION ALL\n'), params };
}

function inSegment(question: Question, { segment }: Scope): Question {
  if (segment === null) return question;
  // All of the window is one piece of raw rows then.
  const rows = `r.website_id = {scope_website_id: String} AND ${withinPiece(0)}`;
  const clause = segmentClause(segment, 'scope_segment', ruleTargetOf(rows));
  return { ...question, where: combine([question.where ?? null, clause]) };
}

function tiersFor(rollup: Rollup, scope: Scope, question: Question): readonly Piece['tier'][] {
  if (scope.segment !== null) return ['raw'];
  if (scope.countries.length > 0 && rollup.dimensions.country === undefined) return ['raw'];
  return rollup.dayTable === undefined || question.byHour ? ['hour', 'raw'] : ['day', 'hour', 'raw'];
}

/** ClickHouse's DateTime: whole seconds that fit 32 bits. */
const LAST_SECOND = 2 ** 32 - 1;

function instantOf({ tier }: Piece, instant: number): number {
  return tier === 'raw' ? instant : Math.min(Math.max(instant / 1000, 0), LAST_SECOND);
}

function selectBuckets(
  rollup: Rollup,
  scope: Scope,
  question: Question,
  tier: 'hour' | 'day',
  index: number,
): string {
  const bucket = (bound: 'start' | 'end') => {
    const instant = `toDateTime({scope_${bound}_${index}: UInt32}, 'UTC')`;
    return tier === 'hour' ? instant : `toDate(${instant}, 'UTC')`;
  };
  const columns = [...(question.byHour ? ['hour'] : []), ...question.dimensions, ...question.metrics];
  return `SELECT ${columns.join(', ')}
FROM ${tier === 'hour' ? rollup.hourTable : rollup.dayTable}
WHERE ${conditions(scope, question, '')} AND ${tier} >= ${bucket('start')} AND ${tier} < ${bucket('end')}`;
}

function selectRequests(rollup: Rollup, scope: Scope, question: Question, index: number): string {
  const keys = [
    ...(question.byHour ? ["toStartOfHour(r.timestamp, 'UTC') AS hour"] : []),
    ...question.dimensions.map((dimension) => `${dimensionSql(rollup, dimension)} AS ${dimension}`),
  ];
  const values = question.metrics.map((metric) => `${ofRequests(metric)} AS ${metric}`);
  const grouped = [...(question.byHour ? ['hour'] : []), ...question.dimensions];
  return `SELECT ${[...keys, ...values].join(', ')}
FROM requests AS r
WHERE ${conditions(scope, question, 'r.')} AND ${withinPiece(index)}${
    rollup.filter === undefined ? '' : ` AND ${rollup.filter}`
  }\n${grouped.length === 0 ? NO_ROW_OF_NOTHING : `GROUP BY ${grouped.join(', ')}`}`;
}

function dimensionSql({ dimensions, hourTable }: Rollup, dimension: string): string {
  const sql = Object.hasOwn(dimensions, dimension) ? dimensions[dimension] : undefined;
  if (sql === undefined) throw new Error(`${hourTable} has no ${dimension}`);
  return sql;
}

function withinPiece(index: number): string {
  const instant = (bound: 'start' | 'end') =>
    `fromUnixTimestamp64Milli({scope_${bound}_${index}: Int64}, 'UTC')`;
  return `r.timestamp >= ${instant('start')} AND r.timestamp < ${instant('end')}`;
}

/** Without keys an aggregate over no rows is still a row, whose least instant would be 1970. */
const NO_ROW_OF_NOTHING = 'HAVING count() > 0';

function conditions(scope: Scope, question: Question, prefix: '' | 'r.'): string {
  const website = `${prefix}website_id = {scope_website_id: String}`;
  const countries =
    scope.countries.length > 0 ? ` AND ${prefix}country IN {scope_countries: Array(String)}` : '';
  return website + countries + (question.where === undefined ? '' : ` AND ${question.where.sql}`);
}

function refuseUnknown(rollup: Rollup, { dimensions, metrics }: Question): void {
  const unknown = [
    ...dimensions.filter((dimension) => !Object.hasOwn(rollup.dimensions, dimension)),
    ...metrics.filter((metric) => !rollup.metrics.includes(metric)),
  ];
  if (unknown.length > 0) throw new Error(`${rollup.hourTable} has no ${unknown.join(', ')}`);
}
