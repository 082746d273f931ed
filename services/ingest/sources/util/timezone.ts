import { MINUTE_MS } from '../../../../shared/durations.js';
import { PublicError } from '../../../../shared/errors.js';
import { instantInZone, isTimeZone } from '../../../../shared/zone-days.js';
import { quote } from './cut-text.js';
import { readOffset } from './parse-timestamp.js';

/**
 * Converts a clock's time to the instant, both in milliseconds since the epoch; the clock's time is read as if it
 * were UTC.
 */
export type ToInstant = (shown: number) => number;

/** Zones change their offsets on quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const LONGEST_ZONE = 64;

/**
 * The zone of an upload's times without a zone: `?timezone=`, an offset (`+02:00`, `-0330`, `Z`) or an IANA name.
 * Absent: UTC.
 * @throws PublicError (400) for an unknown zone
 */
export function readTimezone(query: URLSearchParams): ToInstant {
  const written = query.get('timezone') ?? '';
  if (written === '') return (shown) => shown;
  // A plus that was not percent-encoded arrives as a space.
  const offset = readOffset(written.replace(/^ /, '+'));
  if (!Number.isNaN(offset)) return (shown) => shown - offset;
  if (written.length > LONGEST_ZONE || !/^[A-Za-z]/.test(written) || !isTimeZone(written)) {
    throw new PublicError(
      'invalid_request',
      `timezone: unknown zone ${quote(written)}; give an offset such as +02:00 or a name such as Europe/Berlin`,
    );
  }
  return inZone(new Intl.DateTimeFormat('en', { timeZone: written }).resolvedOptions().timeZone);
}

/** Lines are mostly in the order of time, so the offset of a line is usually that of the previous one. */
function inZone(zone: string): ToInstant {
  let quarter = Number.NaN;
  let offset = 0;
  return (shown) => {
    if (Number.isNaN(shown)) return shown;
    const its = Math.floor(shown / QUARTER_MS);
    if (its !== quarter) {
      quarter = its;
      offset = shown - instantInZone(shown, zone);
    }
    return shown - offset;
  };
}
