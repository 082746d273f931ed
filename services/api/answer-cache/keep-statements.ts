import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import type { DataVersions } from './data-versions.js';

/**
 * Statements that many answers about a website make with the same parameters (`Query.restsOn`) are read once for as long as its data
 * stands. Their parameters name the website, so nothing goes from one to another.
 */

/** For all that is kept, keys and rows as text. */
const MOST_BYTES = 8 * 1024 ** 2;
const LARGEST_ENTRY_BYTES = 8 * 1024;
/** Of an entry beside its text. */
const ENTRY_BYTES = 500;
/** Rows expire without anybody being told. */
const LONGEST_MS = 10 * MINUTE_MS;

interface Kept {
  readonly version: string;
  readonly rows: readonly unknown[];
}

/** @returns the same reader, with a memory that all readers of this call share. A process that can't know versions keeps nothing. */
export function createStatementKeeper(
  versions: DataVersions,
  now: () => number,
): (reader: ClickHouseReader) => ClickHouseReader {
  const kept = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_ENTRY_BYTES,
    sizeCalculation: ({ rows }, key) => 2 * (key.length + JSON.stringify(rows).length) + ENTRY_BYTES,
    ttl: LONGEST_MS,
    perf: { now },
  });
  return (reader) => ({
    async read<Row>(query: Parameters<typeof reader.read<Row>>[0]): Promise<Row[]> {
      if (query.restsOn === undefined) return reader.read(query);
      // Before anything is read: what changes meanwhile must not count as read.
      const version = versions.versionOf(query.restsOn);
      if (version === null) return reader.read(query);
      const key = JSON.stringify([query.sql, query.params]);
      const known = kept.get(key);
      if (known?.version === version) return known.rows as Row[];
      const rows = await reader.read(query);
      kept.set(key, { version, rows });
      return rows;
    },
  });
}
