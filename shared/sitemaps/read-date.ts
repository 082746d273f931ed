/** Parses the times of sitemaps and feeds: W3C date-times (ISO 8601) and those of RFC 822. */

const W3C =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;
const RFC_822 =
  /^(?:([a-z]{3,9}),? )?(\d{1,2}) ([a-z]{3,9}) (\d{4}|\d\d) (\d\d):(\d\d)(?::(\d\d))?(?: ([a-z]{1,5}|[+-]\d\d:?\d\d))?$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** Hours from UTC of the zones in RFC 822; other zones count as UTC. */
const ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 }),
);

const LONGEST = 60;
/** A time before the web or long after today is not a page's date. The engine's DateTime64 begins in 1900. */
const FIRST = Date.UTC(1990, 0, 1);
const END = Date.UTC(2100, 0, 1);

/**
 * Without an offset it is UTC, independent of the process's time zone.
 * @returns milliseconds since the epoch; null for no date, and for an impossible one (30 February)
 */
export function readDate(text: string): number | null {
  const written = text.trim().replace(/\s+/g, ' ');
  if (written.length > LONGEST) return null;
  const at = readW3c(written) ?? readRfc822(written);
  return at !== null && at >= FIRST && at < END ? at : null;
}

function readW3c(text: string): number | null {
  const [
    found,
    year,
    month = '1',
    day = '1',
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    zone = '',
  ] = W3C.exec(text) ?? [];
  if (found === undefined) return null;
  const ms = Math.trunc(Number(`0.${fraction}0`) * 1000);
  return instantOf([year, month, day, hour, minute, second].map(Number), ms, offsetOf(zone));
}

function readRfc822(text: string): number | null {
  const [found, weekday, day, month = '', year = '', hour, minute, second = '0', zone = ''] =
    RFC_822.exec(text) ?? [];
  const inYear = placeOf(month, MONTHS) + 1;
  if (found === undefined || inYear === 0) return null;
  if (weekday !== undefined && placeOf(weekday, WEEKDAYS) < 0) return null;
  // Two digits: RFC 822 is from before 2000; RFC 2822 §4.3 defines the century.
  const whole = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900);
  return instantOf([whole, inYear, ...[day, hour, minute, second].map(Number)], 0, offsetOf(zone));
}

/** Index of an English name, by the whole name or its first three letters; -1 for other texts. */
function placeOf(text: string, names: readonly string[]): number {
  const name = text.toLowerCase();
  return names.findIndex((each) => each === name || each.slice(0, 3) === name);
}

/** Minutes from UTC; null for more than a day. */
function offsetOf(zone: string): number | null {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 60 * (ZONES.get(zone.toUpperCase()) ?? 0);
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes));
}

function instantOf(parts: readonly number[], ms: number, offset: number | null): number | null {
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const midnight = new Date(Date.UTC(year, month - 1, day));
  const isDay = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  // 24:00 is the end of a day; a leap second is the next minute.
  const isTime = minute <= 59 && second <= 60 && (hour <= 23 || (hour === 24 && minute + second + ms === 0));
  if (!isDay || !isTime || offset === null) return null;
  return midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + ms;
}
