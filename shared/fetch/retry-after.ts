import { SECOND_MS } from '../durations.js';

/** Of HTTP's date, the one form that is written today (RFC 9110, 5.6.7): `Sun, 22 Nov 2026 12:30:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * How long a server asks to be left alone, by its Retry-After (RFC 9110, 10.2.3): seconds, or a date.
 * @param now milliseconds since the epoch.
 * @returns milliseconds, 0 for a date that is over; null where there is no such header, or none that can be read. Seconds beyond what a number holds
 * are `Infinity`: the caller has a bound.
 */
export function readRetryAfter(header: string | string[] | null | undefined, now: number): number | null {
  if (typeof header !== 'string' || header.length > 1_000) return null;
  const written = header.trim();
  if (/^\d+$/.test(written)) return Number(written) * SECOND_MS;
  if (!HTTP_DATE.test(written)) return null;
  const at = Date.parse(written);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
