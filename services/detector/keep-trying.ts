import { ZodError } from 'zod';
import { AnswerTooLongError, ReadTooLargeError } from '../../shared/clickhouse/store-errors.js';
import { doublingDelay } from '../../shared/doubling-delay.js';
import { StaleAssignmentError } from '../../shared/event-log/event-log.js';
import { pause } from '../../shared/pause.js';
import { LaterReleaseError } from './stored-version.js';

/** The partition is another owner's, or the service stops: whoever has it next does what was not done. */
export class PartitionLeftError extends Error {}

export interface Trying {
  /** Fires when the partition is to be left. */
  readonly left: AbortSignal;
  onFailure(error: unknown, retryInMs: number): void;
}

/**
 * Whether the error comes again however often the work is repeated: what is stored is none of what this release reads. Everything else may
 * be the stores' or the log's, whose failures are not all named (shared/clickhouse/store-errors.ts), and pass.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof LaterReleaseError || error instanceof ZodError || isTooMuch(error);
}

/** Whether more was asked than one answer takes: it can be asked in smaller parts, and a part that is too much alone is left out. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof AnswerTooLongError || error instanceof ReadTooLargeError;
}

const DELAYS = { firstMs: 250, longestMs: 15_000 };

/**
 * What the work resolves to, however often it has to be tried.
 * @param work must be repeatable. @throws PartitionLeftError, StaleAssignmentError; what `isUnreadable` says of
 */
export async function keepTrying<T>(work: () => Promise<T>, { left, onFailure }: Trying): Promise<T> {
  const nextDelay = doublingDelay(DELAYS);
  for (;;) {
    if (left.aborted) throw new PartitionLeftError('the partition is left');
    try {
      return await work();
    } catch (error) {
      if (error instanceof StaleAssignmentError || error instanceof PartitionLeftError) throw error;
      if (left.aborted) throw new PartitionLeftError('the partition is left', { cause: error });
      if (isUnreadable(error)) throw error;
      const delay = nextDelay();
      onFailure(error, delay);
      await pause(delay, left);
    }
  }
}
