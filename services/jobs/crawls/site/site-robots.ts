import { SECOND_MS } from '../../../../shared/durations.js';
import { FetchError } from '../../../../shared/fetch/fetch-error.js';
import type { Fetcher } from '../../../../shared/fetch/fetcher.js';
import {
  crawlDelayOf,
  createGroupFinder,
  createRuleMatcher,
  type Effort,
  MAX_EFFORT_PER_URL,
  rulesOf,
} from '../../../../shared/robots/match-rules.js';
import { MAX_ROBOTS_BYTES, parseRobots } from '../../../../shared/robots/parse-robots.js';

/** This crawler's product token in robots.txt. */
const POLICY = { tokens: ['LoglaneBot'] };
const TIMEOUT_MS = 20 * SECOND_MS;
/** RFC 9309 §2.3.1.2 requires at least this many. */
const MAX_REDIRECTS = 5;

/** The rules in an origin's robots.txt for this crawler. */
export interface OriginRobots {
  /** 0: no response. */
  readonly status: number;
  /** The reason for a missing response. */
  readonly error: FetchError | null;
  readonly allows: (url: string) => boolean;
  /** Milliseconds between two requests; 0: no crawl-delay. */
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/**
 * No file (4xx) allows everything, and no response (5xx) nothing (RFC 9309 §2.3.1). 401, 403 and 429 reject this crawler: they allow nothing.
 * @throws the signal's reason
 */
export async function fetchRobots(
  origin: string,
  fetch: Fetcher,
  signal: AbortSignal,
): Promise<OriginRobots> {
  try {
    const { status, body, discard } = await fetch(`${origin}/robots.txt`, {
      ...{ maxBytes: 2 * MAX_ROBOTS_BYTES, maxInflatedBytes: 2 * MAX_ROBOTS_BYTES },
      ...{ maxRedirects: MAX_REDIRECTS, timeoutMs: TIMEOUT_MS, signal },
    });
    if (status < 200 || status > 299) {
      discard();
      return without({ status, error: null, allowed: status < 500 && !TURNED_AWAY.has(status) });
    }
    return { status, error: null, ...readRobots(await textOf(body)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchError)) throw error;
    // Redirects without end, or to no web address, count as a missing file.
    const allowed = error.code === 'too_many_redirects' || error.code === 'invalid_url';
    return without({ status: 0, error, allowed });
  }
}

/** Statuses with which a website rejects a crawler. */
export const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 429]);

function without({
  allowed,
  ...told
}: {
  status: number;
  error: FetchError | null;
  allowed: boolean;
}): OriginRobots {
  return { ...told, allows: () => allowed, delayMs: 0, sitemaps: [] };
}

function readRobots(text: string): Pick<OriginRobots, 'allows' | 'delayMs' | 'sitemaps'> {
  const file = parseRobots(text);
  const groups = createGroupFinder(file)(POLICY);
  const disallowing = createRuleMatcher(rulesOf(groups));
  return {
    allows(url) {
      const { pathname, search } = new URL(url);
      const effort: Effort = { left: MAX_EFFORT_PER_URL };
      // A URL whose check would take too long is not fetched.
      return disallowing(pathname + search, effort) === null && effort.left >= 0;
    },
    delayMs: crawlDelayOf(groups) * SECOND_MS,
    sitemaps: [...new Set(file.sitemaps)],
  };
}

/** Reads up to the size limit and ignores the rest. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ROBOTS_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ROBOTS_BYTES).toString();
}
