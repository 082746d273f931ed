import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { partMsOf } from '../../../shared/reads/hours/spans.js';
import type { Plan } from './block-cache.js';
import type { WebsiteMemory } from './block-memory.js';

/**
 * Decides whether the rows that a read needs are read into memory, or the engine answers. Reading rows costs more than one answer of the
 * engine, and they take the memory of other rows.
 */

/** Up to this fraction of a window, missing rows are read at once, for example those of its newest hour. */
const FEW = 1 / 4;
/** Two windows of 30 days, with the days that they cut. More rows would need too many statements. */
const MOST_UNREAD_MS = 62 * DAY_MS;
/** A read counts as repeated within this time. */
const REPEATED_MS = 10 * MINUTE_MS;
/** Rollups of websites whose reads are counted. */
const MOST_COUNTED = 10_000;

/** Number of reads of a website's rollup that the engine answers before rows are kept, for small and large rollups (KeptRollup). */
interface ReadsBefore {
  readonly small: number;
  readonly large: number;
}

/** Reading the rows of a week costs about as much as these reads. */
export const readsBeforeKept: ReadsBefore = { small: 1, large: 2 };

export interface AdmissionOptions {
  readonly readsBefore: ReadsBefore;
  /** Whether rows can be kept without evicting those of recent reads. */
  hasRoom(website: WebsiteMemory): boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Candidate {
  /** Name of the rollup and the website. */
  readonly name: string;
  /** Length of the read's windows together, in hours. */
  readonly hours: number;
  readonly rollup: KeptRollup;
}

/**
 * @returns null if the missing rows of a plan are read, or the reason why the engine answers. Only rows that were never read count: changed
 * rows are always read again.
 */
export function createAdmission({ readsBefore, hasRoom, now }: AdmissionOptions) {
  const asked = new LRUCache<string, number>({ max: MOST_COUNTED, ttl: REPEATED_MS, perf: { now } });
  return (
    { website, planned }: Plan,
    { name, hours, rollup }: Candidate,
  ): 'large' | 'first' | 'full' | null => {
    const unread = unreadHours(planned);
    if (unread * HOUR_MS > MOST_UNREAD_MS) return 'large';
    if (unread <= FEW * hours) return null;
    const before = asked.get(name) ?? 0;
    asked.set(name, before + 1);
    if (before < (rollup.isLarge ? readsBefore.large : readsBefore.small)) return 'first';
    return hasRoom(website) ? null : 'full';
  };
}

/** Hours of the parts that have no rows in memory, not even outdated ones. */
function unreadHours(planned: Plan['planned']): number {
  return planned.reduce((sum, { span, block, missing }) => {
    const unread = missing.filter(({ part }) => block?.versions[part] === undefined);
    return sum + (unread.length * partMsOf(span.unit)) / HOUR_MS;
  }, 0);
}
