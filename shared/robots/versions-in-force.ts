import { DAY_MS } from '../durations.js';

/** Which robots.txt was in force when, as far as the fetches tell. Pure; instants in milliseconds since the epoch. */

/**
 * found: a file; missing: there is none (4xx, or redirected without end), so everything is allowed (RFC 9309 §2.3.1.3). blocked: the website turned this
 * service away (401, 403, 429), which says nothing of what crawlers get. server_error (5xx) and unreachable: no answer.
 */
export const fetchOutcomes = ['found', 'missing', 'blocked', 'server_error', 'unreachable'] as const;
export type FetchOutcome = (typeof fetchOutcomes)[number];

export interface RobotsFetch {
  readonly fetchedAt: number;
  readonly outcome: FetchOutcome;
  /** SHA-256 of the file; '' where none was found. */
  readonly hash: string;
}

/** A version, for as long as it was in force. */
export interface VersionInForce {
  /** '': there was no file. */
  readonly hash: string;
  /** Its first fetch. */
  readonly from: number;
  /** When another one, or nothing known, took its place; null: it is in force. */
  readonly until: number | null;
}

/** Google uses the last copy of a file that it can't fetch for as long; after that nobody knows what is in force. */
export const SAVED_COPY_MS = 30 * DAY_MS;

const isTold = ({ outcome }: RobotsFetch) => outcome === 'found' || outcome === 'missing';

/**
 * A version is in force from the fetch that first found it until the one that found another. Where fetches fail it stays so, for 30 days; what
 * is in force after that is not known, and RFC 9309 §2.3.1.4 ("assume complete disallow") is what crawlers do that were there, not what is
 * known of them.
 * @param fetches in order of time.
 */
export function versionsInForce(fetches: readonly RobotsFetch[], now: number): VersionInForce[] {
  const versions: { hash: string; from: number; until: number | null }[] = [];
  let lastTold = Number.NEGATIVE_INFINITY;
  for (const { fetchedAt, hash } of fetches.filter(isTold)) {
    const current = versions.at(-1);
    const isForgotten = fetchedAt - lastTold > SAVED_COPY_MS;
    if (current === undefined || isForgotten || current.hash !== hash) {
      if (current !== undefined) current.until = isForgotten ? lastTold + SAVED_COPY_MS : fetchedAt;
      versions.push({ hash, from: fetchedAt, until: null });
    }
    lastTold = fetchedAt;
  }
  const newest = versions.at(-1);
  if (newest !== undefined && now - lastTold > SAVED_COPY_MS) newest.until = lastTold + SAVED_COPY_MS;
  return versions;
}

/** The parts of a window in which a version was in force, in order of time. */
export function inForceDuring(
  versions: readonly VersionInForce[],
  { start, end }: { readonly start: number; readonly end: number },
): { hash: string; start: number; end: number }[] {
  return versions
    .map(({ hash, from, until }) => ({
      hash,
      start: Math.max(from, start),
      end: Math.min(until ?? Number.POSITIVE_INFINITY, end),
    }))
    .filter((part) => part.start < part.end);
}
