import { LRUCache } from 'lru-cache';
import { readOnce, textOf } from '../../../shared/reads/sql/read-once.js';
import type { ClickHouseReader, Query, RestsOn } from '../../../shared/store/client.js';
import { alsoReport } from '../limits/also-report.js';
import { type DataVersions, EXPIRY_MS, newestVersion } from './data-versions.js';

/**
 * Caches statements that many answers about a website read with equal parameters (`Query.restsOn`), until its data changes. The
 * parameters contain the website, so no rows reach another website.
 */

/** For all cached entries, keys and rows as text. */
const MOST_BYTES = 8 * 1024 ** 2;
const LARGEST_ENTRY_BYTES = 64 * 1024;
/** Overhead of an entry besides its text. */
const ENTRY_BYTES = 500;

interface Kept {
  readonly version: string;
  readonly rows: readonly unknown[];
  /** Length of the store's answer. */
  readonly characters: number;
}

/** @returns a reader for one call. All readers share a cache. Without known versions a statement is only shared within its call. */
export function createStatementKeeper(
  versions: DataVersions,
  now: () => number,
): (reader: ClickHouseReader) => ClickHouseReader {
  const kept = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_ENTRY_BYTES,
    sizeCalculation: ({ characters }, key) => 2 * (key.length + characters) + ENTRY_BYTES,
    ttl: EXPIRY_MS,
    perf: { now },
  });
  return (reader) => {
    async function readAndKeep(query: Query<unknown>, restsOn: RestsOn): Promise<readonly unknown[]> {
      const key = textOf(query);
      // Read the version before the statement: changes during the read are not in its rows.
      const version = versionOf(versions, restsOn);
      const known = version === null ? undefined : kept.get(key);
      if (known !== undefined && known.version === version) return known.rows;
      let characters = 0;
      const rows = await reader.read(
        alsoReport(query, (statistics) => {
          characters = statistics.characters;
        }),
      );
      if (version !== null) kept.set(key, { version, rows, characters });
      return rows;
    }

    return readOnce({
      ...reader,
      async read<Row>(query: Query<Row>): Promise<Row[]> {
        if (query.restsOn === undefined) return reader.read(query);
        return (await readAndKeep(query, query.restsOn)) as Row[];
      },
    });
  };
}

/** null: the process can not know. */
function versionOf(versions: DataVersions, restsOn: RestsOn): string | null {
  const { websiteId } = restsOn;
  if ('part' in restsOn) return versions.versionOf(websiteId, restsOn.part);
  const others = versions.versionOf(websiteId, 'other_tables');
  const rows = newestVersion(restsOn.hours, (hour) => versions.hourVersionOf(websiteId, hour));
  return others === null || rows === null ? null : `${others} ${rows}`;
}
