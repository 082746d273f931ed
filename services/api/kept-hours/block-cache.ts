import { HOUR_MS } from '../../../shared/durations.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import type { Dictionaries } from '../../../shared/reads/hours/dictionary.js';
import type { Slice } from '../../../shared/reads/hours/fold-rows.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { bucketOf, packBlock, type RowBlock } from '../../../shared/reads/hours/row-block.js';
import { blockMsOf, partMsOf, partsOf, type Span } from '../../../shared/reads/hours/spans.js';
import { newestVersion } from '../answer-cache/data-versions.js';
import { type BlockMemoryOptions, createBlockMemory, type WebsiteMemory } from './block-memory.js';

/** Plans which parts of blocks a read needs, and stores the parts that were read. */

/** A span with its block in memory, and the parts that must be read. */
export interface PlannedSpan {
  readonly span: Span;
  /** Name of the block: rollup, unit, start and website. */
  readonly name: string;
  readonly block: RowBlock | undefined;
  readonly missing: readonly MissingPart[];
}

export interface MissingPart {
  /** Number of the part in its block. */
  readonly part: number;
  /** Version of its rows, from before they are read. */
  readonly version: number;
}

export interface Plan {
  readonly website: WebsiteMemory;
  readonly planned: readonly PlannedSpan[];
}

/** Blocks by name, with the parts that were read. */
export type Filled = ReadonlyMap<string, RowBlock>;

export function createBlockCache(options: BlockMemoryOptions) {
  const { versions } = options;
  const memory = createBlockMemory(options);

  /** Whether no row of the part may have changed. Versions by expiry count only from its first expiry on. */
  function isValid(websiteId: string, span: Span, block: RowBlock, part: number): boolean {
    const expiresAt = block.expiresAt[part];
    const version = newestOf(span, part, (hour) => versions.hourVersionOf(websiteId, hour, expiresAt));
    return version !== null && version <= (block.versions[part] ?? -1);
  }

  return {
    /** Call this before rows are read: rows that are stored during the read may be missing from it. @returns null: versions are unknown */
    plan(websiteId: string, rollup: KeptRollup, spans: readonly Span[]): Plan | null {
      const website = memory.open(websiteId);
      if (website === null) return null;
      const planned: PlannedSpan[] = [];
      // Each hour has one version in a plan: both windows may cut the same hour, and a version may rise by expiry meanwhile. Without rows
      // their expiry is unknown, so that they may expire at any time.
      const known = new Map<number, number | null>();
      const versionOf = (hour: number) => {
        if (!known.has(hour)) known.set(hour, versions.hourVersionOf(websiteId, hour, 0));
        return known.get(hour) ?? null;
      };
      for (const span of spans) {
        const name = `${rollup.rollup.hourTable}\n${span.unit}\n${span.start}\n${websiteId}`;
        const block = memory.use(website, name);
        const missing: MissingPart[] = [];
        for (const part of partsOf(span)) {
          if (block !== undefined && isValid(websiteId, span, block, part)) continue;
          const version = newestOf(span, part, versionOf);
          if (version === null) return null;
          missing.push({ part, version });
        }
        planned.push({ span, name, block, missing });
      }
      return { website, planned };
    },
    /** Stores blocks that were read, together with the newer parts of blocks in memory. */
    async put(website: WebsiteMemory, rollup: KeptRollup, filled: Filled): Promise<void> {
      const giveTurn = createTurns();
      for (const [name, block] of filled) {
        let old: RowBlock | undefined;
        let merged = block;
        // While blocks are merged, another read may store the block.
        while (memory.peek(name) !== old) {
          old = memory.peek(name);
          merged =
            old === undefined
              ? block
              : await inTurns(merge(rollup, old, block, website.dictionaries), giveTurn);
        }
        memory.keep(website, name, merged);
      }
    },
    /** Call this in the same turn as `plan`, before rows are read. */
    register: memory.register,
    hasRoom: memory.hasRoom,
    recount: memory.recount,
    bytes: memory.bytes,
  };
}

/** The newest version of the hours of a part. */
function newestOf(
  { start, unit }: Span,
  part: number,
  versionOf: (hour: number) => number | null,
): number | null {
  const length = partMsOf(unit) / HOUR_MS;
  const first = start / HOUR_MS + part * length;
  return newestVersion(
    Array.from({ length }, (_, hour) => first + hour),
    versionOf,
  );
}

/** A block with the newest rows of each part of both blocks. */
function* merge(
  rollup: KeptRollup,
  old: RowBlock,
  fresh: RowBlock,
  dictionaries: Dictionaries,
): Steps<RowBlock> {
  const { start, unit } = fresh;
  const sources = Array.from(fresh.versions, (version, part) =>
    (version ?? -1) < (old.versions[part] ?? -1) ? old : fresh,
  );
  if (!sources.includes(old)) return fresh;
  const buckets = Array.from({ length: blockMsOf(rollup, unit) / unit }, (_, bucket) =>
    bucketOf(sources[Math.floor((bucket * unit) / partMsOf(unit))]!, bucket),
  );
  return yield* packBlock(
    rollup,
    {
      ...{ start, unit },
      versions: sources.map(({ versions }, part) => versions[part]),
      expiresAt: sources.map(({ expiresAt }, part) => expiresAt[part]!),
    },
    buckets,
    dictionaries,
  );
}

/** The slices of the spans: missing parts are in the blocks that were read, the others in memory. Adjacent parts are one slice. */
export function slicesOf(planned: readonly PlannedSpan[], filled: readonly Filled[]): Slice[] {
  return planned.flatMap(({ span, name, block, missing }) => {
    const versionOf = new Map(missing.map(({ part, version }) => [part, version]));
    // Several reads may have read the part, one of them before its last change.
    const freshOf = (part: number, version: number) =>
      filled.map((one) => one.get(name)).find((one) => one?.versions[part] === version);
    const slices: { block: RowBlock; from: number; to: number }[] = [];
    for (const part of partsOf(span)) {
      const version = versionOf.get(part);
      const source = (version === undefined ? block : freshOf(part, version))!;
      const [from, to] = span.unit < HOUR_MS ? [span.from, span.to] : [part, part + 1];
      const last = slices.at(-1);
      if (last?.block === source && last.to === from) last.to = to;
      else slices.push({ block: source, from, to });
    }
    return slices;
  });
}
