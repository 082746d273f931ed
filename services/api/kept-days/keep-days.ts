import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type DayQuestion, daysOf, isWholeDay, type KeptDays } from '../../../shared/reads/sql/kept-days.js';
import type { Window } from '../../../shared/reads/sql/scope.js';
import { isTooMuchForOneRead } from '../../../shared/store/store-errors.js';
import { type DataVersions, newestVersion } from '../answer-cache/data-versions.js';

/**
 * Keeps results of raw rows for each whole UTC day, until a row of the day may have changed (docs/decisions/033-results-of-days.md).
 */

/** Rows and addresses expire without a notification. */
const LONGEST_MS = 10 * MINUTE_MS;
/** One result may use a 32nd of the memory. Days with a larger result are read each time. */
const LARGEST_SHARE = 32;
/** A window with fewer days costs little. With more, a year of one website would evict all others. */
const MOST_DAYS = 100;
/** Overhead of an entry besides its key and result. */
const ENTRY_BYTES = 300;
const MOST_TOO_LARGE = 10_000;

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

/** Without known versions of a day's hours, its result is not kept. */
export function createDaysKeeper({ versions, maxBytes, now }: DaysKeeperOptions): KeptDays {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / LARGEST_SHARE,
    sizeCalculation: ({ bytes }, key) => 2 * key.length + bytes + ENTRY_BYTES,
    ttl: LONGEST_MS,
    ttlResolution: 0,
    perf: { now },
  });
  const tooLarge = new LRUCache<string, true>({
    max: MOST_TOO_LARGE,
    ttl: LONGEST_MS,
    ttlResolution: 0,
    perf: { now },
  });

  function versionOf(websiteId: string, { start }: Window, hoursAfter: number): number | null {
    const first = start / HOUR_MS;
    const hours = Array.from({ length: DAY_MS / HOUR_MS + hoursAfter }, (_, hour) => first + hour);
    return newestVersion(hours, (hour) => versions.hourVersionOf(websiteId, hour));
  }

  return {
    async resultsOf<Result>(question: DayQuestion<Result>) {
      const { websiteId, window, key, hoursAfter } = question;
      const name = `${websiteId}\n${key}`;
      const days = daysOf(window);
      if (days.length > MOST_DAYS || tooLarge.has(name)) return null;
      // Before the rows: those that are stored during the read may be missing from it.
      const plan = days.map((day) => {
        const version = isWholeDay(day) ? versionOf(websiteId, day, hoursAfter) : null;
        const found = version === null ? undefined : kept.get(`${day.start}\n${name}`);
        return { day, version, found: found?.version === version ? found : undefined };
      });
      if (!plan.some(({ version }) => version !== null)) return null;
      const missing = plan.filter(({ found }) => found === undefined);
      const results = new Map<Window, Result>();
      for (const { day, found } of plan) if (found !== undefined) results.set(day, found.result as Result);
      if (missing.length > 0) {
        const read = await question.read(missing.map(({ day }) => day)).catch((error: unknown) => {
          if (isTooMuchForOneRead(error)) tooLarge.set(name, true);
          throw error;
        });
        missing.forEach(({ day, version }, index) => {
          const result = read[index]!;
          results.set(day, result);
          if (version !== null)
            kept.set(`${day.start}\n${name}`, { version, result, bytes: question.bytesOf(result) });
        });
      }
      return days.map((day) => results.get(day)!);
    },
  };
}
