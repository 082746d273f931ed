import { z } from 'zod';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../durations.js';
import type { Query, QueryParameter } from '../../store/client.js';
import { combine } from '../sql/clause.js';
import { dimensions } from '../sql/dimensions.js';
import { foldedSql, type MetricName, ofRequests } from '../sql/metrics.js';
import { blockRowsFor, ruleTargetOf, segmentClause } from '../sql/segment-conditions.js';
import {
  type ColumnName,
  isMetric,
  type KeptRollup,
  keptColumn,
  keptMetric,
  typeOf,
  type Value,
} from './kept-rollups.js';
import type { Rows } from './row-block.js';
import { stateColumnOf } from './state-columns.js';
import { UnknownStateError } from './state-fold.js';

/**
 * Reads the rows of days or hours from a rollup, or of shorter buckets from the raw rows. A row of the answer has all rows of one bucket, as
 * a list for each column. Such a row is cheap to write, to parse and to check.
 */

export interface FilledBucket {
  readonly websiteId: string;
  /** Start in milliseconds. */
  readonly start: number;
  /** When the first of the rows expires, in milliseconds. */
  readonly expiresAt: number;
  /** Number of the rows. */
  readonly length: number;
  /** @throws UnknownStateError */
  rows(): Rows;
}

/** Times in milliseconds, from `from` up to `to`, without `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The same rows of any number of websites. */
export interface WantedRows {
  readonly rollup: KeptRollup;
  /** Length of the buckets in milliseconds. */
  readonly unit: number;
  readonly ranges: readonly Range[];
}

/** A statement whose answer has a row for each website and bucket that has requests. */
export function fillStatement(
  { rollup: kept, unit, ranges }: WantedRows,
  websiteIds: readonly string[],
): Query<FilledBucket> {
  const params: Record<string, QueryParameter> = { website_ids: websiteIds };
  const { table, time } = timeOf(kept, unit);
  const column = `${table}.${time}`;
  const within = ranges.map(({ from, to }, index) => {
    params[`from_${index}`] = from / 1000;
    params[`to_${index}`] = to / 1000;
    const bound = (edge: string) => {
      const instant = `toDateTime({${edge}_${index}: UInt32}, 'UTC')`;
      return time === 'day' ? `toDate(${instant}, 'UTC')` : instant;
    };
    return `${column} >= ${bound('from')} AND ${column} < ${bound('to')}`;
  });
  const all = within.length === 1 ? within[0]! : `(${within.map((one) => `(${one})`).join(' OR ')})`;
  const { segment } = kept;
  const rows = { sql: `${table}.website_id IN {website_ids: Array(String)} AND ${all}`, params };
  const where = combine([
    rows,
    segment === undefined ? null : segmentClause(segment, 'segment', ruleTargetOf(rows.sql)),
  ]);
  return {
    name: `kept_hours.${segment === undefined ? kept.rollup.hourTable : 'segment'}`,
    sql: statementOf(kept, unit, where.sql),
    params: where.params,
    row: schemaOf(kept),
    ...(segment === undefined ? {} : { scan: { blockRows: blockRowsFor([segment]) } }),
  };
}

/** The column of the rows' time, and the alias of their table. */
function timeOf(kept: KeptRollup, unit: number) {
  const { dayTable } = kept.rollup;
  if (readsRawRows(kept, unit)) return { table: 'r', time: 'timestamp' };
  if (unit === HOUR_MS) return { table: 't', time: 'hour' };
  return dayTable === undefined ? { table: 's', time: 'hour' } : { table: 't', time: 'day' };
}

/** Whether the rows are grouped from raw rows: rollups have no shorter buckets and no segments. */
const readsRawRows = ({ segment }: KeptRollup, unit: number) => unit < HOUR_MS || segment !== undefined;

/** @param where SQL of the website, the time and the segment */
function statementOf(kept: KeptRollup, unit: number, where: string): string {
  const { hourTable, dayTable, columns = {} } = kept.rollup;
  if (readsRawRows(kept, unit)) return lists(kept, bucketRowsOf(kept, unit, where), keptMetric);
  if (unit === DAY_MS && dayTable === undefined)
    return lists(kept, dayRowsOf(kept, where), (_, column) => column);
  const bucket = unit === DAY_MS ? "toUnixTimestamp(toDateTime(t.day, 'UTC'))" : 'toUnixTimestamp(t.hour)';
  const rows = `${unit === DAY_MS ? dayTable : hourTable} AS t WHERE ${where}`;
  // A subselect costs the engine 2 ms.
  if (!kept.columns.some((name) => name in columns)) return lists(kept, rows, keptMetric, bucket);
  const named = [
    'website_id',
    `${bucket} AS bucket`,
    'last_day',
    ...kept.columns.map((name) => storedColumn(kept, name)),
    ...kept.metrics,
    ...kept.states,
  ];
  return lists(kept, `(SELECT ${named.join(', ')} FROM ${rows}) AS t`, keptMetric);
}

/**
 * A list for each column. `materialize` is for sparse columns: if the engine groups rows of a single bucket, groupArray adds their values
 * before their zeros.
 */
function lists(kept: KeptRollup, rows: string, metricOf: typeof keptMetric, bucket = 't.bucket'): string {
  const list = (name: string, sql: string) => `groupArray(materialize(${sql})) AS ${name}`;
  const all = [
    't.website_id AS website_id',
    `${bucket} AS bucket`,
    'toUInt32(min(t.last_day)) AS last_day',
    ...kept.columns.map((name) => list(name, keptColumn(name, `t.${name}`))),
    ...kept.metrics.map((name) => list(name, metricOf(name, `t.${name}`))),
    ...kept.states.flatMap((name) => stateColumns(name, `t.${name}`)),
  ];
  return `SELECT ${all.join(', ')}\nFROM ${rows}\nGROUP BY website_id, bucket`;
}

/** The states of a bucket as one text, and the length of each. */
function stateColumns(name: MetricName, column: string): string[] {
  const states = `groupArray(CAST(${column} AS String))`;
  return [
    `base64Encode(arrayStringConcat(${states})) AS ${name}`,
    `arrayMap(state -> length(state), ${states}) AS ${lengthsOf(name)}`,
  ];
}

const lengthsOf = (name: MetricName) => `${name}_lengths`;

function storedColumn({ rollup: { columns = {} } }: KeptRollup, name: ColumnName): string {
  const sql = isMetric(name) ? undefined : columns[name];
  return sql === undefined ? name : `${sql} AS ${name}`;
}

/** SQL of one row for the rows of a day with equal values. */
function dayRowsOf(kept: KeptRollup, where: string): string {
  const keys = kept.columns.filter((name) => !isMetric(name));
  const folded = [...kept.columns.filter(isMetric), ...kept.metrics].map(
    (name) => `${foldedSql(name, { stored: name, conditions: [] })} AS ${name}`,
  );
  const bucket = "toUnixTimestamp(toStartOfDay(s.hour, 'UTC')) AS bucket";
  const lastDay = 'min(s.last_day) AS last_day';
  const all = [
    's.website_id AS website_id',
    bucket,
    lastDay,
    ...keys.map((name) => storedColumn(kept, name)),
    ...folded,
  ];
  return `(SELECT ${all.join(', ')}
FROM ${kept.rollup.hourTable} AS s
WHERE ${where}
GROUP BY website_id, bucket, ${keys.join(', ')}) AS t`;
}

/** SQL of the rows of buckets, grouped from raw rows. */
function bucketRowsOf({ rollup, columns, metrics, states }: KeptRollup, unit: number, where: string): string {
  const keys = columns.filter((name) => !isMetric(name));
  const all = [
    'r.website_id AS website_id',
    `toUnixTimestamp(toStartOfInterval(r.timestamp, INTERVAL ${unit / SECOND_MS} SECOND)) AS bucket`,
    // An address may expire before its row.
    'min(toDate(r.received_at) + if(r.address_days = 0, r.retention_days, r.address_days)) AS last_day',
    ...keys.map((name) => `${dimensions[name].ofRequests} AS ${name}`),
    ...[...columns.filter(isMetric), ...metrics, ...states].map((name) => `${ofRequests(name)} AS ${name}`),
  ];
  return `(SELECT ${all.join(', ')}
FROM requests AS r
WHERE ${where}${rollup.filter === undefined ? '' : ` AND ${rollup.filter}`}
GROUP BY website_id, bucket, ${keys.join(', ')}) AS t`;
}

/** By the columns, which the rows of a segment have, too. */
const schemas = new WeakMap<KeptRollup['columns'], z.ZodType<FilledBucket>>();

function schemaOf(kept: KeptRollup): z.ZodType<FilledBucket> {
  const known = schemas.get(kept.columns);
  if (known !== undefined) return known;
  const made = makeSchema(kept);
  schemas.set(kept.columns, made);
  return made;
}

/** Checks by the types of JSON, a loop for each: a fill has up to a million values, and Zod takes 100 ns for each of an array. */
const plainChecks = new Map<string, (list: readonly unknown[]) => boolean>([
  ['number', (list) => list.every((value) => typeof value === 'number')],
  ['string', (list) => list.every((value) => typeof value === 'string')],
  ['boolean', (list) => list.every((value) => typeof value === 'boolean')],
]);

/** @param type of plain values */
function listOf(type: z.ZodType) {
  const check = plainChecks.get(type.def.type)!;
  return z.custom<readonly unknown[]>((list) => Array.isArray(list) && check(list));
}

const numbers = listOf(z.number());

function makeSchema({ columns, metrics, states }: KeptRollup): z.ZodType<FilledBucket> {
  const shape = {
    ...Object.fromEntries(columns.map((name) => [name, listOf(typeOf(name))])),
    ...Object.fromEntries([...metrics, ...states.map(lengthsOf)].map((name) => [name, numbers])),
    ...Object.fromEntries(states.map((name) => [name, z.string()])),
  };
  // Seconds, and days, since the epoch.
  const head = { website_id: z.string(), bucket: z.number(), last_day: z.number() };
  return z.object({ ...head, ...shape }).transform((row) => {
    const { website_id: websiteId, bucket, last_day: lastDay } = row;
    const lists: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
    const list = <T>(name: string) => lists.get(name) as readonly T[];
    const { length } = list(metrics[0]!);
    const stateOf = (name: MetricName) => {
      const lengths = list<number>(lengthsOf(name));
      if (lengths.length !== length) throw new UnknownStateError('a row has no state');
      return stateColumnOf(name, lists.get(name) as string, lengths);
    };
    return {
      ...{ websiteId, length },
      start: bucket * 1000,
      expiresAt: (lastDay + 1) * DAY_MS,
      rows: () => ({
        columns: new Map(columns.map((name) => [name, { codes: null, values: list<Value>(name) }])),
        figures: new Map(metrics.map((name) => [name, list<number>(name)])),
        states: new Map(states.map((name) => [name, stateOf(name)])),
        ...{ from: 0, to: length },
      }),
    };
  });
}
