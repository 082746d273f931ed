import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../shared/durations.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import type { Slice } from '../../../shared/reads/hours/fold-rows.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { bucketOf, packBlock, type RowBlock } from '../../../shared/reads/hours/row-block.js';
import { hoursOf, lengthOf, type Span } from '../../../shared/reads/hours/spans.js';
import type { DataVersions } from '../answer-cache/data-versions.js';

/** Blocks of rows in memory, by website, rollup and day or hour. */

/** A span with the block in memory, and its hours that must be read. */
export interface Planned {
  readonly span: Span;
  /** Name of the block. */
  readonly name: string;
  readonly block: RowBlock | undefined;
  readonly missing: readonly MissingHour[];
}

export interface MissingHour {
  /** Number of the hour in its block. */
  readonly hour: number;
  readonly version: number;
}

/** Blocks by name, with the hours that were read. */
export type Filled = ReadonlyMap<string, RowBlock>;

export interface BlockCacheOptions {
  readonly versions: Pick<DataVersions, 'hourVersionOf'>;
  readonly maxBytes: number;
}

/** One website may use this fraction of the memory. Beyond it, its own blocks are evicted before those of others. */
const SHARE_OF_WEBSITE = 2;

interface Kept {
  readonly websiteId: string;
  readonly block: RowBlock;
}

export function createBlockCache({ versions, maxBytes }: BlockCacheOptions) {
  const bytesOf = new Map<string, number>();
  const blocks = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ block }) => block.bytes,
    dispose: ({ websiteId, block }) => addBytes(websiteId, -block.bytes),
  });

  function addBytes(websiteId: string, bytes: number): void {
    const sum = (bytesOf.get(websiteId) ?? 0) + bytes;
    if (sum > 0) bytesOf.set(websiteId, sum);
    else bytesOf.delete(websiteId);
  }

  function keep(name: string, kept: Kept): void {
    const { websiteId, block } = kept;
    blocks.set(name, kept);
    if (blocks.peek(name) !== kept) return;
    addBytes(websiteId, block.bytes);
    // The least recently used ones first.
    for (const other of blocks.rkeys()) {
      if ((bytesOf.get(websiteId) ?? 0) <= maxBytes / SHARE_OF_WEBSITE) return;
      if (blocks.peek(other)?.websiteId === websiteId) blocks.delete(other);
    }
  }

  return {
    /** Call this before hours are read: rows that are stored during the read may be missing from it. @returns null: versions are unknown */
    plan(websiteId: string, rollup: KeptRollup, spans: readonly Span[]): Planned[] | null {
      const planned: Planned[] = [];
      // Both windows may cut the same hour, and a version may rise while hours are planned.
      const known = new Map<number, number | null>();
      const versionOf = (hour: number) => {
        if (!known.has(hour)) known.set(hour, versions.hourVersionOf(websiteId, hour));
        return known.get(hour) ?? null;
      };
      for (const span of spans) {
        const name = `${rollup.rollup.hourTable}\n${span.unit}\n${span.start}\n${websiteId}`;
        const block = blocks.get(name)?.block;
        const missing: MissingHour[] = [];
        for (const hour of hoursOf(span)) {
          const version = versionOf(span.start / HOUR_MS + hour);
          if (version === null) return null;
          if (block?.versions[hour] !== version) missing.push({ hour, version });
        }
        planned.push({ span, name, block, missing });
      }
      return planned;
    },
    async put(websiteId: string, rollup: KeptRollup, filled: Filled): Promise<void> {
      const giveTurn = createTurns();
      for (const [name, block] of filled) {
        let old: RowBlock | undefined;
        let merged = block;
        // Another read may store the block meanwhile.
        while (blocks.peek(name)?.block !== old) {
          old = blocks.peek(name)?.block;
          merged = old === undefined ? block : await inTurns(merge(rollup, old, block), giveTurn);
        }
        keep(name, { websiteId, block: merged });
      }
    },
    bytes: () => blocks.calculatedSize,
  };
}

/** Takes the newest rows of each hour from both blocks. */
function* merge(rollup: KeptRollup, old: RowBlock, fresh: RowBlock): Steps<RowBlock> {
  const { start, unit } = fresh;
  const sources = Array.from(fresh.versions, (version, hour) =>
    (version ?? -1) < (old.versions[hour] ?? -1) ? old : fresh,
  );
  if (!sources.includes(old)) return fresh;
  const buckets = Array.from({ length: lengthOf(unit) / unit }, (_, bucket) =>
    bucketOf(sources[Math.floor((bucket * unit) / HOUR_MS)]!, bucket),
  );
  return yield* packBlock(
    rollup,
    { start, unit, versions: sources.map(({ versions }, hour) => versions[hour]) },
    buckets,
  );
}

/** The rows of the spans: missing hours from the blocks that were read, the others from memory. */
export function slicesOf(planned: readonly Planned[], filled: readonly Filled[]): Slice[] {
  return planned.flatMap(({ span, name, block, missing }) => {
    const versionOf = new Map(missing.map(({ hour, version }) => [hour, version]));
    // A read that began before a change may have read this hour, too.
    const freshOf = (hour: number, version: number) =>
      filled.map((one) => one.get(name)).find((one) => one?.versions[hour] === version);
    const slices: { block: RowBlock; from: number; to: number }[] = [];
    for (const hour of hoursOf(span)) {
      const version = versionOf.get(hour);
      const source = (version === undefined ? block : freshOf(hour, version))!;
      const [from, to] = span.unit === HOUR_MS ? [hour, hour + 1] : [span.from, span.to];
      const last = slices.at(-1);
      if (last?.block === source && last.to === from) last.to = to;
      else slices.push({ block: source, from, to });
    }
    return slices;
  });
}
