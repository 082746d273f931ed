import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createTurns, inTurns, type Steps } from '../../../shared/pacing/turns.js';
import { createDictionaries, type Dictionaries } from '../../../shared/reads/hours/dictionary.js';
import type { Slice } from '../../../shared/reads/hours/fold-rows.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { bucketOf, packBlock, type RowBlock } from '../../../shared/reads/hours/row-block.js';
import { lengthOf, partOf, partsOf, type Span } from '../../../shared/reads/hours/spans.js';
import { type DataVersions, newestVersion } from '../answer-cache/data-versions.js';

/** Blocks of rows in memory, by website, rollup and time. */

/** A span with the block in memory, and its parts that must be read. */
export interface Planned {
  readonly span: Span;
  /** Name of the block. */
  readonly name: string;
  readonly block: RowBlock | undefined;
  readonly missing: readonly MissingPart[];
}

export interface MissingPart {
  /** Number of the part in its block. */
  readonly part: number;
  readonly version: number;
}

export interface Plan {
  readonly website: Website;
  readonly planned: readonly Planned[];
}

/** Blocks by name, with the parts that were read. */
export type Filled = ReadonlyMap<string, RowBlock>;

export interface BlockCacheOptions {
  readonly versions: Pick<DataVersions, 'hourVersionOf'>;
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The memory of a website. Its blocks leave it together with its dictionaries. */
export interface Website {
  readonly dictionaries: Dictionaries;
  readonly websiteId: string;
  readonly since: number;
  /** It rises if all rows may have changed. */
  readonly version: number;
  /** Names of its blocks, the least recently used one first. */
  readonly names: Set<string>;
  /** Memory of the blocks. */
  bytes: number;
}

/** One website may use half of the memory. Beyond it, its own blocks are evicted before those of others. */
const SHARE_OF_WEBSITE = 2;
/** A read may use a quarter of the memory, and so may the dictionaries of a website. So rows of others remain. */
export const LARGEST_SHARE = 4;
/** A block is in use for this time after a read. Blocks in use are not evicted for another read. */
const IDLE_MS = 5 * MINUTE_MS;
/** Beyond this fraction of a bound there is no room. */
const FULL = 0.9;
/** Longest time of a dictionary. Then an empty one replaces it, so that values of evicted and expired rows leave the memory. */
const LONGEST_MS = DAY_MS;
/** Without dictionaries and blocks. */
const WEBSITE_BYTES = 500;
/** No row has this hour. */
const NO_HOUR = Number.MAX_SAFE_INTEGER;

interface Kept {
  readonly website: Website;
  /** undefined: the entry of the website itself. */
  readonly block?: RowBlock;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  usedAt: number;
}

/** Its blocks are evicted, the least recently used ones first, beyond `maxBytes`. */
export function createBlockCache(options: BlockCacheOptions) {
  const { versions } = options;
  const memory = createMemory(options);

  /** Expiry does not count until the first row of the part expires. */
  function isValid(websiteId: string, span: Span, block: RowBlock, part: number): boolean {
    const expiresAt = block.expiresAt[part];
    const version = newestOf(span, part, (hour) => versions.hourVersionOf(websiteId, hour, expiresAt));
    return version !== null && version <= (block.versions[part] ?? -1);
  }

  return {
    /** Call this before rows are read: rows that are stored during the read may be missing from it. @returns null: versions are unknown */
    plan(websiteId: string, rollup: KeptRollup, spans: readonly Span[]): Plan | null {
      const website = memory.websiteOf(websiteId);
      if (website === null) return null;
      const planned: Planned[] = [];
      // Both windows may cut the same hour, and a version may rise while parts are planned. Rows that are not read yet may expire at any
      // time.
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
    async put(website: Website, rollup: KeptRollup, filled: Filled): Promise<void> {
      const giveTurn = createTurns();
      for (const [name, block] of filled) {
        let old: RowBlock | undefined;
        let merged = block;
        // Another read may store the block meanwhile.
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
    begin: memory.begin,
    hasRoom: memory.hasRoom,
    recount: memory.recount,
    bytes: memory.bytes,
  };
}

/** The blocks and dictionaries of all websites, within their bound. */
function createMemory({ versions, maxBytes, now }: BlockCacheOptions) {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    disposeAfter({ website, block }, name, reason) {
      if (block !== undefined) {
        website.bytes -= block.bytes;
        if (reason !== 'set') website.names.delete(name);
      } else if (reason !== 'set') for (const one of [...website.names]) kept.delete(one);
    },
  });

  function keepWebsite(website: Website): void {
    const { websiteId, dictionaries, names } = website;
    const bytes = WEBSITE_BYTES + dictionaries.bytes();
    kept.set(websiteId, { website, bytes, usedAt: now() });
    // It is larger than the memory.
    if (kept.peek(websiteId) === undefined) for (const one of [...names]) kept.delete(one);
  }

  const used = (name: string) => {
    const one = kept.get(name);
    if (one !== undefined) one.usedAt = now();
    return one;
  };

  const isIdle = (name: string | undefined) =>
    name !== undefined && now() - (kept.peek(name)?.usedAt ?? 0) > IDLE_MS;

  return {
    /** Whether more blocks of the website fit in without evicting blocks in use. Otherwise reads would evict each other's blocks all the time. */
    hasRoom({ bytes, dictionaries, names }: Website): boolean {
      const fits = (size: number, most: number, oldest: Iterator<string>) =>
        size < FULL * most || isIdle(oldest.next().value);
      return (
        fits(kept.calculatedSize, maxBytes, kept.rkeys()) &&
        fits(bytes + dictionaries.bytes(), maxBytes / SHARE_OF_WEBSITE, names.values())
      );
    },
    /** With empty dictionaries after a change of all rows, because erased values must not remain. @returns null: versions are unknown */
    websiteOf(websiteId: string): Website | null {
      const version = versions.hourVersionOf(websiteId, NO_HOUR);
      if (version === null) return null;
      const known = used(websiteId)?.website;
      if (
        known?.version === version &&
        Math.abs(now() - known.since) < LONGEST_MS &&
        known.dictionaries.bytes() <= maxBytes / LARGEST_SHARE
      )
        return known;
      kept.delete(websiteId);
      const dictionaries = createDictionaries();
      return { websiteId, dictionaries, version, since: now(), names: new Set<string>(), bytes: 0 };
    },
    /** Call this in the same turn as `websiteOf`, so that all reads of the website share its dictionaries. */
    begin(website: Website): void {
      if (kept.peek(website.websiteId)?.website !== website) keepWebsite(website);
    },
    peek: (name: string) => kept.peek(name)?.block,
    use({ websiteId, names }: Website, name: string): RowBlock | undefined {
      const block = used(name)?.block;
      // The last one is the newest.
      if (names.delete(name)) names.add(name);
      // Its blocks are evicted before the website.
      used(websiteId);
      return block;
    },
    keep(website: Website, name: string, block: RowBlock): void {
      // Rows of before a change of all rows are not kept.
      if (kept.peek(website.websiteId)?.website !== website) return;
      const one = { website, block, bytes: block.bytes, usedAt: now() };
      kept.set(name, one);
      website.names.delete(name);
      if (kept.peek(name) !== one) return;
      website.bytes += block.bytes;
      website.names.add(name);
      keepWebsite(website);
      for (const oldest of website.names) {
        if (website.bytes + website.dictionaries.bytes() <= maxBytes / SHARE_OF_WEBSITE) return;
        kept.delete(oldest);
      }
    },
    /** Call this after a read, even if it failed: its values are in the dictionaries. */
    recount(website: Website): void {
      if (kept.peek(website.websiteId)?.website === website) keepWebsite(website);
    },
    bytes: () => kept.calculatedSize,
  };
}

/** The newest version of the hours of a part. */
function newestOf(
  { start, unit }: Span,
  part: number,
  versionOf: (hour: number) => number | null,
): number | null {
  const length = partOf(unit) / HOUR_MS;
  const first = start / HOUR_MS + part * length;
  return newestVersion(
    Array.from({ length }, (_, hour) => first + hour),
    versionOf,
  );
}

/** Takes the newest rows of each part from both blocks. */
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
  const buckets = Array.from({ length: lengthOf(rollup, unit) / unit }, (_, bucket) =>
    bucketOf(sources[Math.floor((bucket * unit) / partOf(unit))]!, bucket),
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

/** The rows of the spans: missing parts from the blocks that were read, the others from memory. */
export function slicesOf(planned: readonly Planned[], filled: readonly Filled[]): Slice[] {
  return planned.flatMap(({ span, name, block, missing }) => {
    const versionOf = new Map(missing.map(({ part, version }) => [part, version]));
    // A read that began before a change may have read this part, too.
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
