import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { partOf } from '../../../shared/reads/hours/spans.js';
import type { Plan, Website } from './block-cache.js';

/**
 * Decides whether the rows of a window are read into memory. Reading them costs more than one answer of the engine, and it takes the
 * memory of other rows.
 */

/** A fraction of a window that is read at any time, for example its newest hour. */
const FEW = 1 / 4;
/** Two windows of 30 days, with the days that they cut. Rows of more days need too many statements. */
const MOST_UNREAD_MS = 62 * DAY_MS;
/** Older reads do not count. */
const REPEATED_MS = 10 * MINUTE_MS;
const MOST_COUNTED = 10_000;

/** Number of reads of a website's rollup that the engine answers before rows are kept. */
interface ReadsBefore {
  readonly small: number;
  readonly large: number;
}

/** To read the rows of a week costs about as much as these reads. */
export const readsBeforeKept: ReadsBefore = { small: 1, large: 2 };

export interface AdmissionOptions {
  readonly readsBefore: ReadsBefore;
  /** Whether rows can be kept without evicting those of recent reads. */
  hasRoom(website: Website): boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Wanted {
  /** Name of the rollup and the website. */
  readonly name: string;
  /** Length of the windows. */
  readonly hours: number;
  readonly rollup: KeptRollup;
}

/** Rows that were in memory and have changed are read again in any case. */
export function createAdmission({ readsBefore, hasRoom, now }: AdmissionOptions) {
  const asked = new LRUCache<string, number>({ max: MOST_COUNTED, ttl: REPEATED_MS, perf: { now } });
  return ({ website, planned }: Plan, { name, hours, rollup }: Wanted): boolean => {
    const unread = unreadHours(planned);
    if (unread * HOUR_MS > MOST_UNREAD_MS) return false;
    if (unread <= FEW * hours) return true;
    const before = asked.get(name) ?? 0;
    asked.set(name, before + 1);
    return before >= (rollup.isLarge ? readsBefore.large : readsBefore.small) && hasRoom(website);
  };
}

function unreadHours(planned: Plan['planned']): number {
  return planned.reduce((sum, { span, block, missing }) => {
    const unread = missing.filter(({ part }) => block?.versions[part] === undefined);
    return sum + (unread.length * partOf(span.unit)) / HOUR_MS;
  }, 0);
}
