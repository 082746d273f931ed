import { moment } from '../format.js';

/**
 * When an alert or an incident began and ended. The detector finds it at the end of a window, so that instant is never
 * shown as a beginning: only the requests that it is about, or the window, say when it began.
 */
export interface AlertTimes {
  /** Ends of the windows of the first and the last finding, in ISO 8601. */
  readonly found: string;
  readonly lastFound: string;
  readonly beganAfter: string | null;
  readonly firstRequest: string | null;
  readonly lastRequest: string | null;
}

export function timesOfIncident(incident: {
  readonly first_seen: string;
  readonly last_seen: string;
  readonly began_after: string | null;
  readonly first_request_at: string | null;
  readonly last_request_at: string | null;
}): AlertTimes {
  return {
    found: incident.first_seen,
    lastFound: incident.last_seen,
    beganAfter: incident.began_after,
    firstRequest: incident.first_request_at,
    lastRequest: incident.last_request_at,
  };
}

export function timesOfAlert(alert: {
  readonly created_at: string;
  readonly last_seen?: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}): AlertTimes {
  const { began_after, first_request_at, last_request_at } = alert.details;
  return {
    found: alert.created_at,
    lastFound: alert.last_seen ?? alert.created_at,
    beganAfter: instant(began_after),
    firstRequest: instant(first_request_at),
    lastRequest: instant(last_request_at),
  };
}

function instant(value: unknown): string | null {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** A few words for lists: `Nov 25, 14:00`, or the window of the beginning. */
export function beganText({ found, beganAfter, firstRequest }: AlertTimes): string {
  if (firstRequest !== null) return moment(firstRequest);
  return beganAfter === null ? `found ${moment(found)}` : span(beganAfter, found);
}

/** When it was, for the beginning of a sentence: `Nov 25, 14:00 – 14:59`. */
export function whenText(times: AlertTimes): string {
  const { firstRequest, lastRequest, lastFound } = times;
  if (firstRequest !== null) return span(firstRequest, lastRequest ?? lastFound);
  return beganText(times);
}

/** The beginning and the end as sentences, to the second where the requests show it. */
export function timeSentences(times: AlertTimes): string[] {
  const { found, lastFound, beganAfter, firstRequest, lastRequest } = times;
  if (firstRequest !== null)
    return [
      `First request ${toTheSecond(firstRequest)}`,
      `last ${toTheSecond(lastRequest ?? firstRequest)}`,
      `found ${moment(found)}`,
    ];
  return [
    ...(beganAfter === null ? [] : [`Began between ${moment(beganAfter)} and ${moment(found)}`]),
    `found ${moment(found)}`,
    ...(lastFound === found ? [] : [`last found ${moment(lastFound)}`]),
  ];
}

/** The earliest instant at which it may have begun, in milliseconds. */
export function beginning({ found, beganAfter, firstRequest }: AlertTimes): number {
  return Date.parse(firstRequest ?? beganAfter ?? found);
}

/** The window of its requests as an address and the API write it; the end is excluded. */
export function windowOfTimes(times: AlertTimes): { readonly start: string; readonly end: string } {
  const { beganAfter, firstRequest, lastRequest, lastFound, found } = times;
  const start = firstRequest ?? beganAfter ?? found;
  const end = lastRequest === null ? Date.parse(lastFound) : Date.parse(lastRequest) + 1;
  return { start, end: new Date(Math.max(end, Date.parse(start) + 1)).toISOString() };
}

/** How long it lasted, in minutes; `isExact`: from its first to its last request. */
export function lengthOf(times: AlertTimes): { readonly minutes: number; readonly isExact: boolean } {
  const { start, end } = windowOfTimes(times);
  const isExact = times.firstRequest !== null && times.lastRequest !== null;
  return { minutes: Math.ceil((Date.parse(end) - Date.parse(start)) / 60_000), isExact };
}

const second = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const timeOnly = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

function toTheSecond(at: string): string {
  return second.format(new Date(at));
}

/** Two instants; the day once where they share it. */
function span(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (moment(from) === moment(to)) return moment(from);
  return `${moment(from)} – ${first.toDateString() === last.toDateString() ? timeOnly.format(last) : moment(to)}`;
}
