import { SECOND_MS } from '../durations.js';

/** The only HTTP date format written today (RFC 9110, 5.6.7): `Sun, 22 Nov 2026 12:30:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses the Retry-After header (RFC 9110, 10.2.3): seconds, or a date.
 * @param now milliseconds since the epoch
 * @returns milliseconds, 0 for a past date; null if the header is missing or invalid. Seconds beyond the range of a
 * number become `Infinity`, so the caller needs a bound.
 */
export function readRetryAfter(header: string | string[] | null | undefined, now: number): number | null {
  if (typeof header !== 'string' || header.length > 1_000) return null;
  const written = header.trim();
  if (/^\d+$/.test(written)) return Number(written) * SECOND_MS;
  if (!HTTP_DATE.test(written)) return null;
  const at = Date.parse(written);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
