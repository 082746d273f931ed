import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { groupBy } from '../../../shared/group-by.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import { type FilledBucket, fillStatement, type Hours } from '../../../shared/reads/hours/fill-statement.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { packBlock, type RowBlock, type Rows } from '../../../shared/reads/hours/row-block.js';
import { lengthOf } from '../../../shared/reads/hours/spans.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import type { Filled } from './block-cache.js';

/** Reads hours of a rollup into blocks. */

/** Hours of one statement: they bound its answer. */
const HOURS_OF_STATEMENT = 14 * 24;
/** More ranges than these are read as one. */
const MOST_RANGES = 8;

/** An hour to read. */
export interface WantedHour {
  /** Name and start of its block, and length of the block's buckets. */
  readonly name: string;
  readonly start: number;
  readonly unit: number;
  /** Its number in the block. */
  readonly hour: number;
  readonly version: number;
}

/** The hours of each statement. */
export function statementsOf(wanted: readonly WantedHour[]): WantedHour[][] {
  return [HOUR_MS, MINUTE_MS].flatMap((unit) => {
    const hours = wanted.filter((one) => one.unit === unit).sort((a, b) => startOf(a) - startOf(b));
    return Array.from({ length: Math.ceil(hours.length / HOURS_OF_STATEMENT) }, (_, index) =>
      hours.slice(index * HOURS_OF_STATEMENT, (index + 1) * HOURS_OF_STATEMENT),
    );
  });
}

const startOf = ({ start, hour }: Pick<WantedHour, 'start' | 'hour'>) => start + hour * HOUR_MS;

/** @param hours of one statement, in order of time. @throws as ClickHouseReader.read */
export async function fillHours(
  reader: ClickHouseReader,
  websiteId: string,
  rollup: KeptRollup,
  hours: readonly WantedHour[],
): Promise<Filled> {
  const { unit } = hours[0]!;
  const buckets = await reader.read(fillStatement(rollup, websiteId, unit, rangesOf(hours)));
  const bucketAt = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  const giveTurn = createTurns();
  const filled = new Map<string, RowBlock>();
  for (const [name, ofBlock] of groupBy(hours, (one) => one.name))
    filled.set(name, await inTurns(pack(rollup, ofBlock, bucketAt), giveTurn));
  return filled;
}

function rangesOf(hours: readonly WantedHour[]): Hours[] {
  const ranges: { from: number; to: number }[] = [];
  for (const one of hours) {
    const from = startOf(one);
    const last = ranges.at(-1);
    if (last?.to === from) last.to += HOUR_MS;
    else ranges.push({ from, to: from + HOUR_MS });
  }
  return ranges.length <= MOST_RANGES ? ranges : [{ from: ranges[0]!.from, to: ranges.at(-1)!.to }];
}

function pack(
  rollup: KeptRollup,
  hours: readonly WantedHour[],
  bucketAt: ReadonlyMap<number, FilledBucket>,
): Steps<RowBlock> {
  const { start, unit } = hours[0]!;
  const versions: (number | undefined)[] = Array.from({ length: lengthOf(unit) / HOUR_MS });
  const rows: (Rows | undefined)[] = Array.from({ length: lengthOf(unit) / unit });
  for (const { hour, version } of hours) {
    const first = (hour * HOUR_MS) / unit;
    for (let bucket = first; bucket < first + HOUR_MS / unit; bucket++)
      rows[bucket] = bucketAt.get(start + bucket * unit)?.rows;
    versions[hour] = version;
  }
  return packBlock(rollup, { start, unit, versions }, rows);
}
