/** How often a command may poll: calls are limited by the hour, and other programs use the same limit. */

const INTERVAL_MS = 1_000;
const LONGEST_INTERVAL_MS = 60_000;
/** Below this share of the limit, the calls that are left are spread over the rest of the hour. */
const RESERVED_SHARE = 0.25;
/** Left for other programs. */
const SPARED_SHARE = 0.05;

/** Milliseconds until the next poll. @param now milliseconds since the epoch */
export function pauseAfter(headers: Headers, now: number): number {
  const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
  const reset = Date.parse(headers.get('x-ratelimit-reset') ?? '');
  if (!(remaining <= limit * RESERVED_SHARE) || Number.isNaN(reset)) return INTERVAL_MS;
  const usable = Math.max(1, remaining - limit * SPARED_SHARE);
  return Math.min(LONGEST_INTERVAL_MS, Math.max(INTERVAL_MS, (reset - now) / usable));
}
