import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { groupBy } from '../../../shared/group-by.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import { type FilledBucket, fillStatement, type Hours } from '../../../shared/reads/hours/fill-statement.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { packBlock, type RowBlock, type Rows } from '../../../shared/reads/hours/row-block.js';
import { lengthOf } from '../../../shared/reads/hours/spans.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { AnswerTooLongError, unlessTooLong } from '../../../shared/store/store-errors.js';
import type { Filled } from './block-cache.js';

/** Reads hours of a rollup into blocks. */

/** Hours of one statement: they bound its answer. */
const HOURS_OF_STATEMENT = 14 * 24;
/** Largest answer: all rows of an hour are parsed at once, which takes some 10 ms per megabyte. */
const MOST_BYTES = 8 * 1024 ** 2;
/** More ranges than these are read as one. */
const MOST_RANGES = 8;

/** An hour to read. */
export interface WantedHour {
  /** Name and start of its block, and length of the block's buckets. */
  readonly name: string;
  readonly start: number;
  readonly unit: number;
  /** Number of the hour in its block. */
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

export interface FillOptions {
  readonly websiteId: string;
  readonly rollup: KeptRollup;
  /** The hours of one statement, in order of time. */
  readonly hours: readonly WantedHour[];
  /** Throws if the read has too many rows. */
  onPacked(block: RowBlock): void;
}

/** Reads fewer hours at once if the answer is too long. @throws as ClickHouseReader.read */
export async function fillHours(reader: ClickHouseReader, options: FillOptions): Promise<Filled> {
  const { websiteId, rollup, hours, onPacked } = options;
  const { unit } = hours[0]!;
  const statement = fillStatement(rollup, websiteId, unit, rangesOf(hours));
  const buckets = await unlessTooLong(reader.read({ ...statement, mostBytes: MOST_BYTES }));
  const blocks = [...groupBy(hours, (one) => one.name)];
  if (buckets === null) {
    if (blocks.length === 1) throw new AnswerTooLongError('a block has too many rows');
    const half = Math.ceil(blocks.length / 2);
    const fillPart = (part: typeof blocks) =>
      fillHours(reader, { ...options, hours: part.flatMap(([, ofBlock]) => ofBlock) });
    return new Map([...(await fillPart(blocks.slice(0, half))), ...(await fillPart(blocks.slice(half)))]);
  }
  const bucketAt = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  const giveTurn = createTurns();
  const filled = new Map<string, RowBlock>();
  for (const [name, ofBlock] of blocks) {
    const block = await inTurns(pack(rollup, ofBlock, bucketAt), giveTurn);
    onPacked(block);
    filled.set(name, block);
  }
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
