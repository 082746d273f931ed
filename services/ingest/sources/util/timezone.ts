import { MINUTE_MS } from '../../../../shared/durations.js';
import { PublicError } from '../../../../shared/errors.js';
import { instantInZone, isTimeZone } from '../../../../shared/zone-days.js';
import { quote } from './cut-text.js';
import { readOffset } from './parse-timestamp.js';

/** From what a clock shows to the instant, both in milliseconds since the epoch; the clock's as if it were UTC's. */
export type ToInstant = (shown: number) => number;

/** Zones change their offsets at quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const LONGEST_ZONE = 64;

/**
 * How the times of an upload are meant whose lines name no zone: `?timezone=`, an offset (`+02:00`, `-0330`, `Z`) or an IANA
 * name. Absent: UTC.
 * @throws PublicError (400) for a zone that is not known
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

/** Lines come in the order of time: the offset of one is mostly that of the one before. */
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
