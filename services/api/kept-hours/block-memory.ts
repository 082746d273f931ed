import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createDictionaries, type Dictionaries } from '../../../shared/reads/hours/dictionary.js';
import type { RowBlock } from '../../../shared/reads/hours/row-block.js';
import type { DataVersions } from '../answer-cache/data-versions.js';

/** The memory for blocks of rows (shared/reads/hours/row-block.ts) and for the dictionaries of their websites. */

export interface BlockMemoryOptions {
  readonly versions: Pick<DataVersions, 'hourVersionOf'>;
  /** For all blocks and dictionaries. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The memory of a website. Its blocks leave it together with its dictionaries. */
export interface WebsiteMemory {
  readonly websiteId: string;
  readonly dictionaries: Dictionaries;
  /** When the dictionaries were created, in milliseconds since the epoch. */
  readonly since: number;
  /** It rises if all rows may have changed. */
  readonly version: number;
  /** Names of its blocks, the least recently used one first. */
  readonly names: Set<string>;
  /** Memory of the blocks, in bytes. */
  blockBytes: number;
}

/** One website may use this fraction of the memory. Beyond it, its own blocks are evicted before those of others. */
const WEBSITE_SHARE = 1 / 2;
/** A read may use this fraction of the memory, and so may the dictionaries of a website. So rows of others remain. */
export const READ_SHARE = 1 / 4;
/** A block is in use for this time after a read. Blocks in use are not evicted for another read. */
const IDLE_MS = 5 * MINUTE_MS;
/** Beyond this fraction of a bound there is no room. */
const FULL = 0.9;
/** After this time empty dictionaries replace those of a website, so that values of evicted and expired rows leave the memory. */
const DICTIONARIES_MS = DAY_MS;
/** Overhead of a website besides its dictionaries and blocks. */
const WEBSITE_BYTES = 500;
/** No row has this hour, so its version rises only if all rows may have changed. */
const NO_HOUR = Number.MAX_SAFE_INTEGER;

interface Entry {
  readonly website: WebsiteMemory;
  /** undefined: the entry of the website itself. */
  readonly block?: RowBlock;
  /** Memory of the block, or of the website's dictionaries. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  usedAt: number;
}

/** Websites by id, and blocks by name. With a website its blocks leave, too. */
function createEntries({ maxBytes, now }: Pick<BlockMemoryOptions, 'maxBytes' | 'now'>) {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    disposeAfter({ website, block }, name, reason) {
      if (block !== undefined) {
        website.blockBytes -= block.bytes;
        if (reason !== 'set') website.names.delete(name);
      } else if (reason !== 'set') for (const one of [...website.names]) entries.delete(one);
    },
  });
  return {
    entries,
    keepWebsite(website: WebsiteMemory): void {
      const { websiteId, dictionaries, names } = website;
      const bytes = WEBSITE_BYTES + dictionaries.bytes();
      entries.set(websiteId, { website, bytes, usedAt: now() });
      // The website alone is larger than the memory.
      if (entries.peek(websiteId) === undefined) for (const one of [...names]) entries.delete(one);
    },
    /** The entry, which counts as used now. */
    use(name: string): Entry | undefined {
      const one = entries.get(name);
      if (one !== undefined) one.usedAt = now();
      return one;
    },
    isIdle: (name: string | undefined) =>
      name !== undefined && now() - (entries.peek(name)?.usedAt ?? 0) > IDLE_MS,
  };
}

/** The blocks and dictionaries of all websites. Beyond `maxBytes` the least recently used blocks are evicted. */
export function createBlockMemory({ versions, maxBytes, now }: BlockMemoryOptions) {
  const { entries, keepWebsite, use, isIdle } = createEntries({ maxBytes, now });

  return {
    /** Whether more blocks of the website fit in without evicting blocks in use. Otherwise reads would evict each other's blocks all the time. */
    hasRoom({ blockBytes, dictionaries, names }: WebsiteMemory): boolean {
      const fits = (size: number, most: number, oldest: Iterator<string>) =>
        size < FULL * most || isIdle(oldest.next().value);
      return (
        fits(entries.calculatedSize, maxBytes, entries.rkeys()) &&
        fits(blockBytes + dictionaries.bytes(), maxBytes * WEBSITE_SHARE, names.values())
      );
    },
    /**
     * The memory of the website, or a new one without values and blocks. It is new after a change of all rows, because erased values must not
     * remain, and if the dictionaries are too old or too large.
     * @returns null: versions are unknown
     */
    open(websiteId: string): WebsiteMemory | null {
      const version = versions.hourVersionOf(websiteId, NO_HOUR);
      if (version === null) return null;
      const known = use(websiteId)?.website;
      if (
        known?.version === version &&
        Math.abs(now() - known.since) < DICTIONARIES_MS &&
        known.dictionaries.bytes() <= maxBytes * READ_SHARE
      )
        return known;
      entries.delete(websiteId);
      const dictionaries = createDictionaries();
      return { websiteId, dictionaries, version, since: now(), names: new Set<string>(), blockBytes: 0 };
    },
    /** Stores a new website. Call this in the same turn as `open`, so that all reads of the website share its dictionaries. */
    register(website: WebsiteMemory): void {
      if (entries.peek(website.websiteId)?.website !== website) keepWebsite(website);
    },
    /** A block, which does not count as used. */
    peek: (name: string) => entries.peek(name)?.block,
    /** A block for a read. */
    use({ websiteId, names }: WebsiteMemory, name: string): RowBlock | undefined {
      const block = use(name)?.block;
      // The last one is the newest.
      if (names.delete(name)) names.add(name);
      // Its blocks are evicted before the website.
      use(websiteId);
      return block;
    },
    keep(website: WebsiteMemory, name: string, block: RowBlock): void {
      // After a change of all rows the website has another memory, and these rows may be outdated.
      if (entries.peek(website.websiteId)?.website !== website) return;
      const one = { website, block, bytes: block.bytes, usedAt: now() };
      entries.set(name, one);
      website.names.delete(name);
      if (entries.peek(name) !== one) return;
      website.blockBytes += block.bytes;
      website.names.add(name);
      keepWebsite(website);
      for (const oldest of website.names) {
        if (website.blockBytes + website.dictionaries.bytes() <= maxBytes * WEBSITE_SHARE) return;
        entries.delete(oldest);
      }
    },
    /** Counts the dictionaries again. Call this after a read, even if it failed: its values are in the dictionaries. */
    recount(website: WebsiteMemory): void {
      if (entries.peek(website.websiteId)?.website === website) keepWebsite(website);
    },
    /** Memory of everything, in bytes. */
    bytes: () => entries.calculatedSize,
  };
}
