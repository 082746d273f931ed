import { DAY_MS } from '../durations.js';

/** The robots.txt versions in force at each time, derived from the fetches. Pure; times are in milliseconds since the epoch. */

/**
 * - found: a file.
 * - missing: there is none (4xx, or endless redirects), so everything is allowed (RFC 9309 §2.3.1.3).
 * - blocked: the website rejected this service (401, 403, 429), although crawlers may get the file.
 * - server_error (5xx) and unreachable: no file.
 */
export const fetchOutcomes = ['found', 'missing', 'blocked', 'server_error', 'unreachable'] as const;
export type FetchOutcome = (typeof fetchOutcomes)[number];

export interface RobotsFetch {
  readonly fetchedAt: number;
  readonly outcome: FetchOutcome;
  /** SHA-256 of the file; '' if no file was found. */
  readonly hash: string;
}

/** A version and the period in which it was in force. */
export interface VersionInForce {
  /** '': there was no file. */
  readonly hash: string;
  /** Time of its first fetch. */
  readonly from: number;
  /** Time at which another version or an unknown state replaced it; null: it is in force. */
  readonly until: number | null;
}

/** Google uses the last copy of a file that it cannot fetch for this long. After that the version in force is unknown. */
export const SAVED_COPY_MS = 30 * DAY_MS;

const isConclusive = ({ outcome }: RobotsFetch) => outcome === 'found' || outcome === 'missing';

/**
 * A version is in force from its first fetch until a fetch finds another one. While fetches fail it remains in force for 30 days; after
 * that the state is unknown. RFC 9309 §2.3.1.4 ("assume complete disallow") is a rule for crawlers, and not evidence of their access.
 * @param fetches in order of time.
 */
export function versionsInForce(fetches: readonly RobotsFetch[], now: number): VersionInForce[] {
  const versions: { hash: string; from: number; until: number | null }[] = [];
  let lastConclusive = Number.NEGATIVE_INFINITY;
  for (const { fetchedAt, hash } of fetches.filter(isConclusive)) {
    const current = versions.at(-1);
    const isForgotten = fetchedAt - lastConclusive > SAVED_COPY_MS;
    if (current === undefined || isForgotten || current.hash !== hash) {
      if (current !== undefined) current.until = isForgotten ? lastConclusive + SAVED_COPY_MS : fetchedAt;
      versions.push({ hash, from: fetchedAt, until: null });
    }
    lastConclusive = fetchedAt;
  }
  const newest = versions.at(-1);
  if (newest !== undefined && now - lastConclusive > SAVED_COPY_MS)
    newest.until = lastConclusive + SAVED_COPY_MS;
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
