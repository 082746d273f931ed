import { z } from 'zod';
import { HOUR_MS } from '../../durations.js';
import type { Query, QueryParameter } from '../../store/client.js';
import { type DimensionName, dimensions } from '../sql/dimensions.js';
import { ofRequests } from '../sql/metrics.js';
import { isNumber, type KeptRollup, keptDimension, keptMetric, type Value } from './kept-rollups.js';
import type { Rows } from './row-block.js';

/**
 * Reads the rows of hours from a rollup, or by minute from the raw rows. A row of the answer has all rows of one bucket, a list for each
 * column: that is cheap to write, to parse and to check.
 */

export interface FilledBucket {
  /** Start in milliseconds. */
  readonly start: number;
  readonly rows: Rows;
}

/** Hours by their start in milliseconds. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

/** @param unit length of the buckets */
export function fillStatement(
  kept: KeptRollup,
  websiteId: string,
  unit: number,
  ranges: readonly Hours[],
): Query<FilledBucket> {
  const params: Record<string, QueryParameter> = { website_id: websiteId };
  const column = unit === HOUR_MS ? 't.hour' : 'r.timestamp';
  const within = ranges.map(({ from, to }, index) => {
    params[`from_${index}`] = from / 1000;
    params[`to_${index}`] = to / 1000;
    const bound = (edge: string) => `toDateTime({${edge}_${index}: UInt32}, 'UTC')`;
    return `${column} >= ${bound('from')} AND ${column} < ${bound('to')}`;
  });
  const where = within.length === 1 ? within[0]! : `(${within.map((one) => `(${one})`).join(' OR ')})`;
  const source = unit === HOUR_MS ? `${kept.rollup.hourTable} AS t` : `(${minutesOf(kept, where)}) AS t`;
  const columns = [
    `toUnixTimestamp(t.${unit === HOUR_MS ? 'hour' : 'minute'}) AS bucket`,
    ...kept.dimensions.map((name) => `groupArray(${keptDimension(name, `t.${name}`)}) AS ${name}`),
    ...kept.metrics.map((name) => `groupArray(${keptMetric(name, `t.${name}`)}) AS ${name}`),
  ];
  const only = unit === HOUR_MS ? `WHERE t.website_id = {website_id: String} AND ${where}\n` : '';
  return {
    name: `kept_hours.${kept.rollup.hourTable}`,
    sql: `SELECT ${columns.join(', ')}\nFROM ${source}\n${only}GROUP BY bucket`,
    params,
    row: schemaOf(kept),
  };
}

function minutesOf({ rollup, dimensions: names, metrics }: KeptRollup, where: string): string {
  const keys = names.map((name) => `${dimensions[name].ofRequests} AS ${name}`);
  const values = metrics.map((name) => `${ofRequests(name)} AS ${name}`);
  return `SELECT ${['toStartOfMinute(r.timestamp) AS minute', ...keys, ...values].join(', ')}
FROM requests AS r
WHERE r.website_id = {website_id: String} AND ${where}${rollup.filter === undefined ? '' : ` AND ${rollup.filter}`}
GROUP BY minute, ${names.join(', ')}`;
}

const schemas = new WeakMap<KeptRollup, z.ZodType<FilledBucket>>();

function schemaOf(kept: KeptRollup): z.ZodType<FilledBucket> {
  const known = schemas.get(kept);
  if (known !== undefined) return known;
  const made = makeSchema(kept);
  schemas.set(kept, made);
  return made;
}

const numbers = z.array(z.number());
const texts = z.array(z.string());

function makeSchema({ dimensions: names, metrics }: KeptRollup): z.ZodType<FilledBucket> {
  const shape = {
    ...Object.fromEntries(names.map((name) => [name, isNumber(name) ? numbers : texts])),
    ...Object.fromEntries(metrics.map((name) => [name, numbers])),
  };
  return z.object({ bucket: z.number(), ...shape }).transform((row) => {
    const { bucket } = row as { bucket: number };
    const lists = row as unknown as Readonly<Record<string, readonly Value[]>>;
    return {
      start: bucket * 1000,
      rows: {
        dimensions: new Map(
          names.map((name: DimensionName) => [name, { codes: null, values: lists[name]! }]),
        ),
        figures: new Map(metrics.map((name) => [name, lists[name] as readonly number[]])),
        from: 0,
        to: lists[metrics[0]!]!.length,
      },
    };
  });
}
