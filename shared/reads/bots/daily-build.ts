import { DAY_MS } from '../../durations.js';

/** What is worked out once a day from all that search crawlers fetched (page-importance.ts, crawled-paths.ts). */

export interface DailyBuild {
  readonly websiteId: string;
  /** A text that no other build has. */
  readonly buildId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One that can be read. */
export interface FinishedBuild {
  readonly buildId: string;
  /** Milliseconds since the epoch. */
  readonly generated: number;
  /** Rows of the days that it counted were stored since, or judged anew: it leaves them out. */
  readonly stale: boolean;
}

/** How long a build can be read. */
export const BUILD_LIVES_MS = 7 * DAY_MS;

/** SQL of the last day of what is written now: by the engine's own clock, which is the one that takes it away. */
export const BUILD_EXPIRES = "toDate(now('UTC')) + 7";

/** An INSERT … SELECT has what time a write has (client.ts), and room on the disk instead of memory. */
export const buildSettings = {
  max_execution_time: 110,
  max_bytes_before_external_group_by: '200000000',
  max_bytes_before_external_sort: '200000000',
};

/** SQL of a Date whose midnight (UTC) is bound in seconds. */
export function day(parameter: string): string {
  return `toDate(toDateTime({${parameter}: UInt32}, 'UTC'), 'UTC')`;
}

/** Midnight (UTC) at which a day begins, in milliseconds since the epoch, as `now` is. */
export function midnightOf(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}

/** What `day` binds. */
export function daySeconds(now: number): number {
  return midnightOf(now) / 1000;
}

/** Pages that a build holds of a family: the most fetched. It bounds what a build stores and what one answer can hold. */
export const MOST_PAGES = 100_000;

export const SCORE_BUCKETS = 10;

/** SQL of who came last, over rows `c`; of several crawlers at the last instant the one whose name is last. LAST_FETCH tells the same. */
export const LAST_BOT = 'argMax(toString(c.bot_name), tuple(c.last_seen, toString(c.bot_name)))';
