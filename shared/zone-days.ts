import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js';

/**
 * Days of a time zone. A zone is an IANA name; '' means UTC. Days are `YYYY-MM-DD`, instants milliseconds since the
 * epoch.
 */

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

/** The day of an instant. */
export function dayInZone(at: number, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 10);
}

/** The instant at which a day begins. */
export function startOfDay(day: string, zone: string): number {
  return instantInZone(Date.parse(day), zone);
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/**
 * The instant at which a zone's clocks show a time. For an hour that occurs twice it is one of the two; for a skipped
 * hour it is an adjacent one.
 * @param shown milliseconds since the epoch, as if the clock were UTC's
 */
export function instantInZone(shown: number, zone: string): number {
  // The offset at the same UTC time is right unless the clocks change in between.
  const near = shown - offsetAt(shown, zone);
  return shown - offsetAt(near, zone);
}

/** Milliseconds by which a zone's clocks are ahead of UTC at an instant. */
function offsetAt(at: number, zone: string): number {
  if (zone === '' || zone === 'UTC') return 0;
  const parts = formatOf(zone).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return local - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating a format is far more expensive than using it. There are some 600 zones. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const held = formats.get(zone);
  if (held !== undefined) return held;
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  formats.set(zone, made);
  return made;
}

/** Whether days of the zone begin on a whole UTC hour at all these instants. */
export function beginsOnHours(zone: string, ...instants: readonly number[]): boolean {
  return instants.every((at) => offsetAt(at, zone) % HOUR_MS === 0);
}
