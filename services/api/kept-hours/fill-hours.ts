import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { groupBy } from '../../../shared/group-by.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import type { Dictionaries } from '../../../shared/reads/hours/dictionary.js';
import { type FilledBucket, fillStatement, type Range } from '../../../shared/reads/hours/fill-statement.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { packBlock, type RowBlock, type Rows } from '../../../shared/reads/hours/row-block.js';
import { cutUnits, lengthOf, partOf } from '../../../shared/reads/hours/spans.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { AnswerTooLongError, unlessTooLong } from '../../../shared/store/store-errors.js';
import type { Filled } from './block-cache.js';

/** Reads days and hours of a rollup into blocks. */

/** Time that one statement reads: it bounds the answer. */
const MOST_OF_STATEMENT_MS = 14 * DAY_MS;
const MOST_OF_LARGE_MS = DAY_MS;
/** Largest answer: all rows of a bucket are parsed at once, which takes some 10 ms per megabyte. */
const MOST_BYTES = 8 * 1024 ** 2;
/** More ranges than these are read as one. */
const MOST_RANGES = 8;

/** A part of a block to read. */
export interface WantedPart {
  /** Name and start of its block, and length of the block's buckets. */
  readonly name: string;
  readonly start: number;
  readonly unit: number;
  /** Number of the part in its block. */
  readonly part: number;
  readonly version: number;
}

/** The parts of each statement. */
export function statementsOf({ isLarge }: KeptRollup, wanted: readonly WantedPart[]): WantedPart[][] {
  return [DAY_MS, HOUR_MS, ...cutUnits].flatMap((unit) => {
    const parts = wanted.filter((one) => one.unit === unit).sort((a, b) => startOf(a) - startOf(b));
    const most = (isLarge ? MOST_OF_LARGE_MS : MOST_OF_STATEMENT_MS) / partOf(unit);
    return Array.from({ length: Math.ceil(parts.length / most) }, (_, index) =>
      parts.slice(index * most, (index + 1) * most),
    );
  });
}

const startOf = ({ start, unit, part }: WantedPart) => start + part * partOf(unit);

export interface FillOptions {
  readonly websiteId: string;
  readonly rollup: KeptRollup;
  readonly dictionaries: Dictionaries;
  /** The parts of one statement, in order of time. */
  readonly parts: readonly WantedPart[];
  /** Throws if the read has too many rows. */
  onPacked(block: RowBlock): void;
}

/** Reads fewer parts at once if the answer is too long. @throws as ClickHouseReader.read */
export async function fillHours(reader: ClickHouseReader, options: FillOptions): Promise<Filled> {
  const { websiteId, rollup, parts, onPacked } = options;
  const { unit } = parts[0]!;
  const statement = fillStatement(rollup, websiteId, unit, rangesOf(parts));
  const buckets = await unlessTooLong(reader.read({ ...statement, mostBytes: MOST_BYTES }));
  const blocks = [...groupBy(parts, (one) => one.name)];
  if (buckets === null) {
    if (blocks.length === 1) throw new AnswerTooLongError('a block has too many rows');
    const half = Math.ceil(blocks.length / 2);
    const fillSome = (some: typeof blocks) =>
      fillHours(reader, { ...options, parts: some.flatMap(([, ofBlock]) => ofBlock) });
    return new Map([...(await fillSome(blocks.slice(0, half))), ...(await fillSome(blocks.slice(half)))]);
  }
  const bucketAt = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  const giveTurn = createTurns();
  const filled = new Map<string, RowBlock>();
  for (const [name, ofBlock] of blocks) {
    const block = await inTurns(pack(options, ofBlock, bucketAt), giveTurn);
    onPacked(block);
    filled.set(name, block);
  }
  return filled;
}

function rangesOf(parts: readonly WantedPart[]): Range[] {
  const ranges: { from: number; to: number }[] = [];
  for (const one of parts) {
    const from = startOf(one);
    const to = from + partOf(one.unit);
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges.length <= MOST_RANGES ? ranges : [{ from: ranges[0]!.from, to: ranges.at(-1)!.to }];
}

function pack(
  { rollup, dictionaries }: FillOptions,
  parts: readonly WantedPart[],
  bucketAt: ReadonlyMap<number, FilledBucket>,
): Steps<RowBlock> {
  const { start, unit } = parts[0]!;
  const length = lengthOf(rollup, unit);
  const versions: (number | undefined)[] = Array.from({ length: length / partOf(unit) });
  const expiresAt = versions.map(() => Number.POSITIVE_INFINITY);
  const rows: (Rows | undefined)[] = Array.from({ length: length / unit });
  for (const { part, version } of parts) {
    const buckets = partOf(unit) / unit;
    for (let bucket = part * buckets; bucket < (part + 1) * buckets; bucket++) {
      const filled = bucketAt.get(start + bucket * unit);
      if (filled === undefined) continue;
      rows[bucket] = filled.rows;
      expiresAt[part] = Math.min(expiresAt[part]!, filled.expiresAt);
    }
    versions[part] = version;
  }
  return packBlock(rollup, { start, unit, versions, expiresAt }, rows, dictionaries);
}
