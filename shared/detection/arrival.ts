import { DAY_MS } from '../durations.js';

/** A website that begins with the logs of its last weeks is judged by them: four weeks say what is usual. */
export const OLDEST_ARRIVAL_MS = 28 * DAY_MS;

/**
 * What a stored range brought of one website: a record of `requests.stored`. It says which time the detector is to look at again, and no more: what
 * happened then it reads from the store. The same record twice says nothing new.
 */
export interface Arrival {
  readonly websiteId: string;
  /** When the range was stored, and the earliest receipt of its requests, milliseconds since the epoch. */
  readonly storedAt: number;
  readonly receivedAt: number;
  /** Beginnings of the oldest and of the newest minute with requests, milliseconds since the epoch. */
  readonly oldestMinute: number;
  readonly newestMinute: number;
  /** The intervals of five minutes with requests, in rising order, by their beginnings. None is older than {@link OLDEST_ARRIVAL_MS}, nor ahead of the clock by an hour. */
  readonly intervals: readonly number[];
}
