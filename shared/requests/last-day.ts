import { DAY_MS } from '../durations.js';

/**
 * The last UTC day of a row, as days since the epoch. Retention counts whole days from the day of receipt. Row, rollups
 * and verdict expire together when this day ends (shared/store/migrations/0001_baseline/requests.sql).
 * @param receivedAt milliseconds since the epoch
 */
export function lastDayOf(receivedAt: number, retentionDays: number): number {
  return Math.floor(receivedAt / DAY_MS) + retentionDays;
}

/** The day as ISO 8601, e.g. 2026-11-21. */
export function isoDay(daysSinceEpoch: number): string {
  return new Date(daysSinceEpoch * DAY_MS).toISOString().slice(0, 10);
}
