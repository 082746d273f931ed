import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations.js';
import { parseCommonLogTime } from '../parse-timestamp.js';
import { isEqual, SPACE, twoDigits } from './bytes.js';

/** Places of `17/Nov/2026` and `+0000` in `17/Nov/2026:12:00:02 +0000`. */
const DATE_BYTES = 11;
const ZONE_AT = 21;
const ZONE_BYTES = 5;
const COLON = 58;
/** What follows the zone. */
const END = Buffer.from('] "');
const END_AT = ZONE_AT + ZONE_BYTES;

/** Reads `17/Nov/2026:12:00:02 +0000] "`. Most lines have the day of the line before: its midnight is kept. */
export function createPlainTime() {
  let date = Buffer.alloc(0);
  let zone = Buffer.alloc(0);
  /** Midnight of that date in that zone, milliseconds since the epoch. */
  let midnight = Number.NaN;
  let time = 0;

  function isSameDay(bytes: Buffer, from: number): boolean {
    return (
      isEqual(bytes, from, from + DATE_BYTES, date) &&
      isEqual(bytes, from + ZONE_AT, from + ZONE_AT + ZONE_BYTES, zone)
    );
  }

  /** @returns whether there is such a day. */
  function beginDay(bytes: Buffer, from: number): boolean {
    const day = bytes.toString('latin1', from, from + DATE_BYTES);
    const offset = bytes.toString('latin1', from + ZONE_AT, from + ZONE_AT + ZONE_BYTES);
    const parsed = parseCommonLogTime(`${day}:00:00:00 ${offset}`, 0);
    if (Number.isNaN(parsed)) return false;
    date = Buffer.from(day, 'latin1');
    zone = Buffer.from(offset, 'latin1');
    midnight = parsed;
    return true;
  }

  return {
    /** Milliseconds since the epoch. */
    value: () => time,
    /** @returns index behind; -1 where no such time stands there. */
    read(bytes: Buffer, from: number): number {
      const isTime =
        bytes[from + DATE_BYTES] === COLON &&
        bytes[from + 14] === COLON &&
        bytes[from + 17] === COLON &&
        bytes[from + 20] === SPACE &&
        isEqual(bytes, from + END_AT, from + END_AT + END.length, END);
      if (!isTime || !(isSameDay(bytes, from) || beginDay(bytes, from))) return -1;
      const hours = twoDigits(bytes, from + 12);
      const minutes = twoDigits(bytes, from + 15);
      const seconds = twoDigits(bytes, from + 18);
      if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return -1;
      time = midnight + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
      return from + END_AT + END.length;
    },
  };
}
