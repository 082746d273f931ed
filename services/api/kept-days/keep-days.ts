import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import {
  type DayQuestion,
  isWholeDay,
  type KeptDays,
  piecesOf,
} from '../../../shared/reads/sql/kept-days.js';
import type { Window } from '../../../shared/reads/sql/scope.js';
import { isTooMuchForOneRead } from '../../../shared/store/store-errors.js';
import { type DataVersions, EXPIRY_MS, newestVersion } from '../answer-cache/data-versions.js';

/**
 * Keeps results of raw rows for each whole UTC day, until a row of the day may have changed (docs/decisions/033-results-of-days.md).
 */

/** One result may use this fraction of the memory. Days with a larger result are read each time. */
const LARGEST_SHARE = 1 / 32;
/** More days of one website would evict the results of all others. */
const MOST_DAYS = 100;
/** Overhead of an entry besides its key and result. */
const ENTRY_BYTES = 300;
/** Questions that are remembered because their results were too large to read. */
const MOST_TOO_LARGE = 10_000;

/** The result of a whole day. */
interface Kept {
  readonly version: number;
  readonly result: unknown;
  readonly bytes: number;
}

export interface DaysKeeperOptions {
  readonly versions: Pick<DataVersions, 'hourVersionOf'>;
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Results of days whose hours have unknown versions are not kept. */
export function createDaysKeeper({ versions, maxBytes, now }: DaysKeeperOptions): KeptDays {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes * LARGEST_SHARE,
    sizeCalculation: ({ bytes }, key) => 2 * key.length + bytes + ENTRY_BYTES,
    ttl: EXPIRY_MS,
    ttlResolution: 0,
    perf: { now },
  });
  const tooLarge = new LRUCache<string, true>({
    max: MOST_TOO_LARGE,
    ttl: EXPIRY_MS,
    ttlResolution: 0,
    perf: { now },
  });

  /** Version of the rows of a day and of the hours after it. */
  function versionOf(websiteId: string, { start }: Window, hoursAfter: number): number | null {
    const first = start / HOUR_MS;
    const hours = Array.from({ length: DAY_MS / HOUR_MS + hoursAfter }, (_, hour) => first + hour);
    return newestVersion(hours, (hour) => versions.hourVersionOf(websiteId, hour));
  }

  return {
    async resultsOf<Result>(question: DayQuestion<Result>) {
      const { websiteId, window, key, hoursAfter } = question;
      const name = `${websiteId}\n${key}`;
      const pieces = piecesOf(window);
      if (pieces.length > MOST_DAYS || tooLarge.has(name)) return null;
      // The versions are from before the read: it may miss rows that are stored meanwhile.
      const plan = pieces.map((piece) => {
        const version = isWholeDay(piece) ? versionOf(websiteId, piece, hoursAfter) : null;
        const found = version === null ? undefined : kept.get(`${piece.start}\n${name}`);
        return { piece, version, found: found?.version === version ? found : undefined };
      });
      if (!plan.some(({ version }) => version !== null)) return null;
      const missing = plan.filter(({ found }) => found === undefined);
      const results = new Map<Window, Result>();
      for (const { piece, found } of plan)
        if (found !== undefined) results.set(piece, found.result as Result);
      if (missing.length > 0) {
        const read = await question.read(missing.map(({ piece }) => piece)).catch((error: unknown) => {
          if (isTooMuchForOneRead(error)) tooLarge.set(name, true);
          throw error;
        });
        missing.forEach(({ piece, version }, index) => {
          const result = read[index]!;
          results.set(piece, result);
          if (version !== null)
            kept.set(`${piece.start}\n${name}`, { version, result, bytes: question.bytesOf(result) });
        });
      }
      return pieces.map((piece) => results.get(piece)!);
    },
  };
}
