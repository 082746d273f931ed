import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations.js';
import { parseDecimal } from './decimal.js';

/**
 * Points in time as log sources write them. The result is milliseconds since the epoch, with a fraction where a
 * number is finer; NaN for other text. `Date.parse` accepts neither the common log form nor numbers, reads text
 * without a zone as local time, and costs several times as much.
 */

/** Reads an epoch number or ISO 8601 text in each form that sources write. */
export function parseTimestamp(value: unknown): number {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return Number.NaN;
  if (value.charCodeAt(4) === 45 /* - */) return parseIso(value);
  return fromEpoch(parseDecimal(value));
}

/**
 * Reads a time as servers and people write it: the forms of {@link parseTimestamp}, the common log form (with or
 * without brackets and fraction), and `YYYY/MM/DD HH:MM:SS`. Without an offset it is UTC.
 */
export function parseWrittenTime(value: unknown): number {
  if (typeof value !== 'string') return parseTimestamp(value);
  const text = value.charCodeAt(0) === 91 /* [ */ && value.endsWith(']') ? value.slice(1, -1) : value;
  if (text.charCodeAt(2) === 47 /* / */) return parseLooseCommonLogTime(text);
  if (text.charCodeAt(4) === 47 && text.charCodeAt(7) === 47) {
    return parseIso(`${text.slice(0, 4)}-${text.slice(5, 7)}-${text.slice(8)}`);
  }
  if (text.charCodeAt(19) === 44 /* , */ && text.charCodeAt(4) === 45) {
    return parseIso(`${text.slice(0, 19)}.${text.slice(20)}`);
  }
  return parseTimestamp(text);
}

/** Unit by magnitude: every unit's numbers for the years 1973 to 5138 are disjoint from the next one's. */
function fromEpoch(value: number): number {
  if (!(value >= 0)) return Number.NaN;
  if (value < 1e11) return value * 1_000;
  if (value < 1e14) return value;
  if (value < 1e17) return value / 1_000;
  return value / 1_000_000;
}

/** Whether the value is finer than a second, so that a difference of two is a duration. */
export function isFinerThanSeconds(value: unknown): boolean {
  if (typeof value === 'number') return value >= 1e11 || !Number.isInteger(value);
  if (typeof value !== 'string') return false;
  return value.includes('.') || (value.length >= 12 && value.charCodeAt(4) !== 45);
}

/**
 * Cuts to whole milliseconds. A nanosecond number from JSON.parse is up to 128 ns off, and the division may add as
 * much. An exact millisecond could so fall below itself, and 300 ns of tolerance prevent that.
 */
export function wholeMilliseconds(milliseconds: number): number {
  return Math.floor(milliseconds + 0.0003);
}

/** `YYYY-MM-DD`, 'T' or a space, `HH:MM` or `HH:MM:SS` with an optional fraction, `Z` or an offset (none: UTC). */
function parseIso(text: string): number {
  const separator = text.charCodeAt(10) | 32;
  if (text.charCodeAt(7) !== 45 || (separator !== 116 /* t */ && separator !== 32)) return Number.NaN;
  const date = dateMs(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
  const hasSeconds = text.charCodeAt(16) === 58; /* : */
  const time = hasSeconds ? timeMs(text, 11) : minutesMs(text, 11);
  let at = hasSeconds ? 19 : 16;
  let fraction = 0;
  if (hasSeconds && text.charCodeAt(at) === 46 /* . */) {
    // Cut at milliseconds: as a sum with the seconds, more digits could round up into the next one.
    for (let scale = 100; isDigit(text.charCodeAt(++at)); scale /= 10) {
      if (scale >= 1) fraction += (text.charCodeAt(at) - 48) * scale;
    }
  }
  return date + time + fraction - offsetMs(text, at);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthByLetters = new Map(
  MONTHS.map((name, index) => [
    lettersOf(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)),
    index + 1,
  ]),
);

/** Three letters as one number, so that a month is found without making a string; 0 for characters beyond ASCII. */
function lettersOf(first: number, second: number, third: number): number {
  return (first | second | third) > 127 ? 0 : (first << 16) | (second << 8) | third;
}

/** Length of `10/Oct/2000:13:55:36 -0700`. */
export const COMMON_LOG_TIME_LENGTH = 26;

/** Index of the '[' before the time, or -1. A user's name may hold brackets too, so the slashes decide. */
export function findCommonLogTime(line: string): number {
  let at = line.indexOf('[');
  while (at !== -1 && !(line.charCodeAt(at + 3) === 47 && line.charCodeAt(at + 7) === 47 && at > 0)) {
    at = line.indexOf('[', at + 1);
  }
  return at;
}

/**
 * Index of the '[' before the time that precedes a quoted request, or -1. Visitors choose the user's name before it,
 * which may look like a time, but servers escape its quotes.
 */
export function findRequestTime(line: string): number {
  let at = line.indexOf('[');
  while (at !== -1 && !isRequestTime(line, at)) at = line.indexOf('[', at + 1);
  return at;
}

function isRequestTime(line: string, at: number): boolean {
  const end = at + 1 + COMMON_LOG_TIME_LENGTH;
  return (
    at > 0 &&
    line.charCodeAt(at + 3) === 47 &&
    line.charCodeAt(at + 7) === 47 &&
    line.charCodeAt(end) === 93 &&
    line.charCodeAt(end + 2) === 34
  );
}

/** The common log form's time, starting at `at`; NaN for other text. */
export function parseCommonLogTime(text: string, at: number): number {
  const zoneAt = at + 21;
  if (text.charCodeAt(at + 20) !== 32) return Number.NaN;
  const sign = text.charCodeAt(zoneAt);
  if (sign !== 43 && sign !== 45) return Number.NaN;
  const offset = offsetOf(digits(text, zoneAt + 1, 2), digits(text, zoneAt + 3, 2));
  const local = parseClockTime(text, at);
  return sign === 43 ? local - offset : local + offset;
}

/** Length of `10/Oct/2000:13:55:36`. */
const COMMON_LOG_SECONDS_LENGTH = 20;

/** The whole text as a common log time whose seconds may have a fraction, and whose offset may be missing (UTC). */
function parseLooseCommonLogTime(text: string): number {
  if (text.length === COMMON_LOG_TIME_LENGTH && text.charCodeAt(20) === 32)
    return parseCommonLogTime(text, 0);
  const rest = /^(\.\d{1,9})?(?: ([+-]\d{4}))?$/.exec(text.slice(COMMON_LOG_SECONDS_LENGTH));
  if (rest === null) return Number.NaN;
  const [, fraction = '0', offset = '+0000'] = rest;
  const time = parseCommonLogTime(`${text.slice(0, COMMON_LOG_SECONDS_LENGTH)} ${offset}`, 0);
  return time + Math.round(Number(fraction.slice(0, 4)) * SECOND_MS);
}

/**
 * HAProxy's time, starting at `at`: `06/Feb/2009:12:14:14.655`, with or without its fraction, in a zone that the line
 * does not name. @returns the clock's time as if it were UTC; NaN for other text
 */
export function parseClockTime(text: string, at: number): number {
  if (text.charCodeAt(at + 2) !== 47 || text.charCodeAt(at + 6) !== 47 || text.charCodeAt(at + 11) !== 58) {
    return Number.NaN;
  }
  const letters = lettersOf(text.charCodeAt(at + 3), text.charCodeAt(at + 4), text.charCodeAt(at + 5));
  const month = monthByLetters.get(letters) ?? Number.NaN;
  const milliseconds = text.charCodeAt(at + 20) === 46 /* . */ ? digits(text, at + 21, 3) : 0;
  return dateMs(digits(text, at + 7, 4), month, digits(text, at, 2)) + timeMs(text, at + 12) + milliseconds;
}

/** `Z`, `+HH:MM`, `+HHMM`, `+HH` or nothing, and then the end of the text; NaN otherwise. */
function offsetMs(text: string, at: number): number {
  if (at === text.length) return 0;
  const sign = text.charCodeAt(at);
  if ((sign | 32) === 122 /* z */) return at + 1 === text.length ? 0 : Number.NaN;
  if (sign !== 43 && sign !== 45) return Number.NaN;
  const length = text.length - at;
  const colon = text.charCodeAt(at + 3) === 58 ? 1 : 0;
  if (length !== 5 + colon && length !== 3) return Number.NaN;
  const minutes = length === 3 ? 0 : digits(text, at + 3 + colon, 2);
  const offset = offsetOf(digits(text, at + 1, 2), minutes);
  return sign === 43 ? offset : -offset;
}

/** Offset of the zone that is farthest from UTC. A larger one is not a zone, and would move a time by days. */
const MOST_OFFSET_MS = 14 * HOUR_MS;

/** Milliseconds; NaN if no zone has this offset. */
function offsetOf(hours: number, minutes: number): number {
  const offset = hours * HOUR_MS + minutes * MINUTE_MS;
  return minutes < 60 && offset <= MOST_OFFSET_MS ? offset : Number.NaN;
}

/** A zone's offset, `Z`, `+HH:MM`, `+HHMM` or `+HH`, in milliseconds; NaN for other text. */
export function readOffset(text: string): number {
  return text === '' ? Number.NaN : offsetMs(text, 0);
}

/** `HH:MM:SS` within its day; a leap second counts as the next one. */
function timeMs(text: string, at: number): number {
  if (text.charCodeAt(at + 5) !== 58) return Number.NaN;
  const seconds = digits(text, at + 6, 2);
  return seconds > 60 ? Number.NaN : minutesMs(text, at) + seconds * SECOND_MS;
}

/** `HH:MM` within its day. */
function minutesMs(text: string, at: number): number {
  if (text.charCodeAt(at + 2) !== 58) return Number.NaN;
  const hours = digits(text, at, 2);
  const minutes = digits(text, at + 3, 2);
  return hours > 23 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * MINUTE_MS;
}

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Midnight UTC of a Gregorian date; NaN for a day that does not exist. */
function dateMs(year: number, month: number, day: number): number {
  const before = daysBeforeMonth[month - 1];
  if (before === undefined) return Number.NaN;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 1 : 0;
  const length = daysOfMonth[month - 1]! + (month === 2 ? leap : 0);
  if (!(day >= 1 && day <= length)) return Number.NaN;
  const past = year - 1;
  const days = past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  // There are 719,162 days between 0001-01-01 and 1970-01-01.
  return (days - 719_162 + before + (month > 2 ? leap : 0) + day - 1) * DAY_MS;
}

function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const code = text.charCodeAt(index);
    if (!isDigit(code)) return Number.NaN;
    value = value * 10 + code - 48;
  }
  return value;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
