import { DAY_MS } from '../../durations.js';

/** Results that are computed once a day from all fetches of search crawlers (page-importance.ts, fetched-paths.ts). */

export interface DailyBuild {
  readonly websiteId: string;
  /** Unique id of the build. */
  readonly buildId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A build that can be read. */
export interface FinishedBuild {
  readonly buildId: string;
  /** Milliseconds since the epoch. */
  readonly generated: number;
  /** Rows of its days were stored or reclassified after the build, which does not include them. */
  readonly stale: boolean;
}

/** How long a build can be read. */
export const BUILD_LIVES_MS = 7 * DAY_MS;

/** SQL of the expiry day of rows written now, by the engine's own clock, which also applies the TTL. */
export const BUILD_EXPIRES = "toDate(now('UTC')) + 7";

/** An INSERT … SELECT has the timeout of a write (client.ts) and spills to disk to save memory. */
export const buildSettings = {
  max_execution_time: 110,
  max_bytes_before_external_group_by: '200000000',
  max_bytes_before_external_sort: '200000000',
};

/** SQL of a Date whose midnight (UTC) is bound in seconds. */
export function day(parameter: string): string {
  return `toDate(toDateTime({${parameter}: UInt32}, 'UTC'), 'UTC')`;
}

/** Midnight (UTC) of the day of `now`; both in milliseconds since the epoch. */
export function midnightOf(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}

/** The parameter of `day`. */
export function daySeconds(now: number): number {
  return midnightOf(now) / 1000;
}

/** Pages that a build stores of a family: the most fetched. It bounds the size of a build and of one answer. */
export const MOST_PAGES = 100_000;

export const SCORE_BUCKETS = 10;

/** SQL of the bot with the last fetch, over rows `c`; if several fetched at that instant, the last name. LAST_FETCH has the same rule. */
export const LAST_BOT = 'argMax(toString(c.bot_name), tuple(c.last_seen, toString(c.bot_name)))';
