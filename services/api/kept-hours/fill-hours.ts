import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { groupBy } from '../../../shared/group-by.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import type { Dictionaries } from '../../../shared/reads/hours/dictionary.js';
import type { FilledBucket, Range } from '../../../shared/reads/hours/fill-statement.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { packBlock, type RowBlock, type Rows } from '../../../shared/reads/hours/row-block.js';
import { blockMsOf, cutUnits, partMsOf } from '../../../shared/reads/hours/spans.js';
import { joinPieces } from '../../../shared/reads/sql/cover.js';
import { AnswerTooLongError, unlessTooLong } from '../../../shared/store/store-errors.js';
import type { Payer } from '../limits/share-reads.js';
import type { Filled } from './block-cache.js';
import { type FillReader, MOST_BYTES } from './join-fills.js';

/** Reads days and hours of a rollup into blocks. */

/** Longest time that one statement reads: two windows of a week, with the days that they cut. */
const MOST_OF_STATEMENT_MS = 16 * DAY_MS;
/** The first statement of a large rollup shows how many rows it has. */
const FIRST_OF_LARGE_MS = DAY_MS;
/** Characters of an answer that the length of a statement aims at: far below the bound, because hours have different lengths. */
const AIMED_CHARACTERS = MOST_BYTES / 4;
/** Characters of a day's rows of a busy website, as long as no answer of a read is known. */
const GUESSED_OF_DAY = { small: MOST_BYTES / 128, large: MOST_BYTES / 16 };
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

/** Groups of parts of one unit in the order of their fills. The newest hours are first, because most other reads wait for them. */
export function fillOrder({ isLarge }: KeptRollup, wanted: readonly WantedPart[]): WantedPart[][] {
  const groups = [HOUR_MS, DAY_MS, ...cutUnits].flatMap((unit) => {
    const parts = wanted.filter((one) => one.unit === unit).sort((a, b) => startOf(a) - startOf(b));
    const first = unit === HOUR_MS && isLarge ? FIRST_OF_LARGE_MS / HOUR_MS : parts.length;
    return [parts.splice(-first), parts];
  });
  return groups.filter(({ length }) => length > 0);
}

const startOf = ({ start, unit, part }: WantedPart) => start + part * partMsOf(unit);

/** The most characters per millisecond that a read's statements returned, by unit. A day has fewer rows than its hours. */
export type Pace = Map<number, number>;

export interface FillOptions {
  readonly websiteId: string;
  readonly payer: Payer;
  readonly rollup: KeptRollup;
  readonly dictionaries: Dictionaries;
  readonly pace: Pace;
  /** Their unit is the same. In order of time. */
  readonly parts: readonly WantedPart[];
  /** Throws if the read has too many rows. */
  onPacked(block: RowBlock): void;
}

/** Reads the newest parts first, as many with a statement as its bounds allow. @throws as FillReader.read */
export async function fillHours(reader: FillReader, options: FillOptions): Promise<Filled> {
  const filled = new Map<string, RowBlock>();
  let blocks = [...groupBy(options.parts, ({ name }) => name).values()];
  while (blocks.length > 0) {
    const most = mostParts(options);
    let first = blocks.length - 1;
    let parts = blocks[first]!.length;
    while (first > 0 && parts + blocks[first - 1]!.length <= most) {
      first -= 1;
      parts += blocks[first]!.length;
    }
    for (const block of await fillBlocks(reader, options, blocks.slice(first))) filled.set(...block);
    blocks = blocks.slice(0, first);
  }
  return filled;
}

/** Uses the lengths of earlier answers, so that statements are few and their answers not too long. */
function mostParts({ rollup, parts, pace }: FillOptions): number {
  const { unit } = parts[0]!;
  const perMs = paceOf(pace, unit);
  const aimed = perMs === undefined ? FIRST_OF_LARGE_MS : AIMED_CHARACTERS / perMs;
  const most = rollup.isLarge ? Math.min(aimed, MOST_OF_STATEMENT_MS) : MOST_OF_STATEMENT_MS;
  return Math.floor(most / partMsOf(unit));
}

/** An unknown pace follows from that of hours. */
const paceOf = (pace: Pace, unit: number) => pace.get(unit) ?? pace.get(HOUR_MS);

function expectedOf({ rollup, pace }: FillOptions, parts: readonly WantedPart[]): number {
  const { unit } = parts[0]!;
  const guessed = (rollup.isLarge ? GUESSED_OF_DAY.large : GUESSED_OF_DAY.small) / DAY_MS;
  return parts.length * partMsOf(unit) * (paceOf(pace, unit) ?? guessed);
}

/** Reads fewer blocks at once if the answer is too long. */
async function fillBlocks(
  reader: FillReader,
  options: FillOptions,
  blocks: readonly (readonly WantedPart[])[],
): Promise<[string, RowBlock][]> {
  const { websiteId, payer, rollup, pace, onPacked } = options;
  const parts = blocks.flat();
  const { unit } = parts[0]!;
  const wanted = { websiteId, payer, rollup, unit, ranges: rangesOf(parts) };
  const read = await unlessTooLong(
    reader.read({ ...wanted, expectedCharacters: expectedOf(options, parts) }),
  );
  if (read === null) {
    if (blocks.length === 1) throw new AnswerTooLongError('a block has too many rows');
    const half = Math.ceil(blocks.length / 2);
    return [
      ...(await fillBlocks(reader, options, blocks.slice(0, half))),
      ...(await fillBlocks(reader, options, blocks.slice(half))),
    ];
  }
  const perMs = read.characters / (parts.length * partMsOf(unit));
  pace.set(unit, Math.max(pace.get(unit) ?? 0, perMs));
  const bucketAt = new Map(read.buckets.map((bucket) => [bucket.start, bucket]));
  const giveTurn = createTurns();
  const filled: [string, RowBlock][] = [];
  for (const ofBlock of blocks) {
    const block = await inTurns(pack(options, ofBlock, bucketAt), giveTurn);
    onPacked(block);
    filled.push([ofBlock[0]!.name, block]);
  }
  return filled;
}

function rangesOf(parts: readonly WantedPart[]): Range[] {
  const pieces = parts.map((one) => ({ start: startOf(one), end: startOf(one) + partMsOf(one.unit) }));
  const ranges = joinPieces(pieces).map(({ start, end }) => ({ from: start, to: end }));
  return ranges.length <= MOST_RANGES ? ranges : [{ from: ranges[0]!.from, to: ranges.at(-1)!.to }];
}

function pack(
  { rollup, dictionaries }: FillOptions,
  parts: readonly WantedPart[],
  bucketAt: ReadonlyMap<number, FilledBucket>,
): Steps<RowBlock> {
  const { start, unit } = parts[0]!;
  const length = blockMsOf(rollup, unit);
  const versions: (number | undefined)[] = Array.from({ length: length / partMsOf(unit) });
  const expiresAt = versions.map(() => Number.POSITIVE_INFINITY);
  const rows: (Rows | undefined)[] = Array.from({ length: length / unit });
  for (const { part, version } of parts) {
    const buckets = partMsOf(unit) / unit;
    for (let bucket = part * buckets; bucket < (part + 1) * buckets; bucket++) {
      const filled = bucketAt.get(start + bucket * unit);
      if (filled === undefined) continue;
      rows[bucket] = filled.rows();
      expiresAt[part] = Math.min(expiresAt[part]!, filled.expiresAt);
    }
    versions[part] = version;
  }
  return packBlock(rollup, { start, unit, versions, expiresAt }, rows, dictionaries);
}
