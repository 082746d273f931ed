import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/** Times of events in the demo's week: daily waves, a slow deployment, an outage. */

export interface TimeSpan {
  /** Milliseconds since the epoch, inclusive. */
  start: number;
  /** Milliseconds since the epoch, exclusive. */
  end: number;
}

/** One whole UTC hour each. */
export interface Incidents {
  /** The shop's servers are down: 502, 503 and 504 for all requests that the CDN has not cached. */
  outage: TimeSpan;
  /** Pages take several times as long, some answer 500, old asset names answer 404. */
  deploy: TimeSpan;
}

/** The deployment is on an early day of the window, the outage on a later one, both at typical hours. */
export function incidentsOf(window: TimeSpan): Incidents {
  return { outage: hourWithin(window, 0.6, 14), deploy: hourWithin(window, 0.25, 9) };
}

function hourWithin(window: TimeSpan, fraction: number, hourOfDay: number): TimeSpan {
  const around = window.start + (window.end - window.start) * fraction;
  const preferred = Math.floor(around / DAY_MS) * DAY_MS + hourOfDay * HOUR_MS;
  const fits = preferred >= window.start && preferred + HOUR_MS <= window.end;
  const start = fits ? preferred : Math.floor(around / HOUR_MS) * HOUR_MS;
  return { start, end: start + HOUR_MS };
}

export function within(span: TimeSpan, at: number): boolean {
  return at >= span.start && at < span.end;
}

/** Visits of an online shop by local hour, 1 on average: low at night, a lunch break, high in the evening. */
const byHour = [
  ...[0.44, 0.27, 0.18, 0.14, 0.15, 0.23, 0.47, 0.78, 1.02, 1.17, 1.25, 1.27],
  ...[1.36, 1.27, 1.21, 1.2, 1.25, 1.34, 1.48, 1.69, 1.86, 1.78, 1.34, 0.84],
];
/** Starts with Sunday, when most people shop. */
const byWeekday = [1.18, 1.06, 1.0, 0.97, 0.95, 0.88, 0.96];

/** Relative traffic of a place at this time (1 = the week's average). */
export function dailyWave(at: number, utcOffset: number): number {
  const local = new Date(at + utcOffset * HOUR_MS);
  const hour = local.getUTCHours();
  const into = local.getUTCMinutes() / 60;
  const level = byHour[hour]! * (1 - into) + byHour[(hour + 1) % 24]! * into;
  return level * byWeekday[local.getUTCDay()]!;
}
