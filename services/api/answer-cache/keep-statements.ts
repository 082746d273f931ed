import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import type { DataVersions } from './data-versions.js';

/**
 * Caches statements that many answers about a website read with equal parameters (`Query.restsOn`), until its data changes. The
 * parameters contain the website, so no rows reach another website.
 */

/** For all cached entries, keys and rows as text. */
const MOST_BYTES = 8 * 1024 ** 2;
const LARGEST_ENTRY_BYTES = 8 * 1024;
/** Overhead of an entry besides its text. */
const ENTRY_BYTES = 500;
/** Rows expire without a notification. */
const LONGEST_MS = 10 * MINUTE_MS;

interface Kept {
  readonly version: string;
  readonly rows: readonly unknown[];
}

/** @returns the reader with a cache that all readers of this call share. Without known versions nothing is cached. */
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
      // Read the version before the statement: changes during the read are not in its rows.
      const version = versions.versionOf(query.restsOn);
      if (version === null) return reader.read(query);
      const key = JSON.stringify([query.sql, query.params]);
      const entry = kept.get(key);
      if (entry?.version === version) return entry.rows as Row[];
      const rows = await reader.read(query);
      kept.set(key, { version, rows });
      return rows;
    },
  });
}
