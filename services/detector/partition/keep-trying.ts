import { ZodError } from 'zod';
import { MINUTE_MS } from '../../../shared/durations.js';
import { StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { doublingDelay } from '../../../shared/pacing/doubling-delay.js';
import { pause } from '../../../shared/pacing/pause.js';
import { blameOf, isTooLargeToRead } from '../../../shared/store/store-errors.js';

/** The partition has another owner, or the service stops. The next owner does the remaining work. */
export class PartitionLeftError extends Error {}

/** The store read the rows and refuses them. It will refuse them at every retry. */
export class RowsRefusedError extends Error {}

export interface Trying {
  /** Fires when the partition is to be left. */
  readonly left: AbortSignal;
  onFailure(error: unknown, retryInMs: number): void;
  /** Called for errors that `isUnreadable` matches. A person has to repair the data. */
  onUnreadable(error: unknown, retryInMs: number): void;
  /** Data that was unreadable can be read again. */
  onReadable(): void;
}

/**
 * Whether the error recurs at every retry, because stored data has another form. Other errors may come from
 * the store or the log and pass. Not all of those are named (shared/store/store-errors.ts).
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ZodError || isTooLargeToRead(error);
}

const DELAYS = { firstMs: 250, longestMs: 15_000 };
/** Unreadable data needs a person, so retries are rare. */
export const UNREADABLE_RETRY_MS = 5 * MINUTE_MS;

/** Errors that are not retried here. */
const isFinal = (error: unknown) =>
  error instanceof StaleAssignmentError ||
  error instanceof PartitionLeftError ||
  error instanceof RowsRefusedError;

/**
 * Retries the work until it succeeds, and returns its result.
 * @param work must be repeatable
 * @throws PartitionLeftError, StaleAssignmentError, and a RowsRefusedError of the work
 */
export async function keepTrying<T>(work: () => Promise<T>, trying: Trying): Promise<T> {
  const { left } = trying;
  const nextDelay = doublingDelay(DELAYS);
  let wasUnreadable = false;
  for (;;) {
    if (left.aborted) throw new PartitionLeftError('the partition was left');
    try {
      const result = await work();
      if (wasUnreadable) trying.onReadable();
      return result;
    } catch (error) {
      if (isFinal(error)) throw error;
      if (left.aborted) throw new PartitionLeftError('the partition was left', { cause: error });
      wasUnreadable ||= isUnreadable(error);
      const delay = isUnreadable(error) ? UNREADABLE_RETRY_MS : nextDelay();
      if (isUnreadable(error)) trying.onUnreadable(error, delay);
      else trying.onFailure(error, delay);
      await pause(delay, left);
    }
  }
}

/**
 * {@link keepTrying} for a write. An error of unknown cause counts as the store's error, because the detector
 * writes only its own rows.
 * @param mostRefusals refusals of the rows, after which it gives up; failures of the store do not count
 * @throws RowsRefusedError after that many refusals
 */
export async function keepWriting(
  write: () => Promise<void>,
  trying: Trying,
  mostRefusals: number,
): Promise<void> {
  let refusals = 0;
  await keepTrying(async () => {
    try {
      await write();
    } catch (error) {
      if (blameOf(error) === 'rows') refusals += 1;
      if (refusals >= mostRefusals)
        throw new RowsRefusedError('the store refuses the rows', { cause: error });
      throw error;
    }
  }, trying);
}
