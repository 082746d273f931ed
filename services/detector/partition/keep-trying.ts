import { ZodError } from 'zod';
import { MINUTE_MS } from '../../../shared/durations.js';
import { StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { doublingDelay } from '../../../shared/pacing/doubling-delay.js';
import { pause } from '../../../shared/pacing/pause.js';
import { AnswerTooLongError, blameOf, ReadTooLargeError } from '../../../shared/store/store-errors.js';

/** The partition is another owner's, or the service stops: whoever has it next does what was not done. */
export class PartitionLeftError extends Error {}

/** The store has read the rows and refuses them: it will, however often they are sent. */
export class RowsRefusedError extends Error {}

export interface Trying {
  /** Fires when the partition is to be left. */
  readonly left: AbortSignal;
  onFailure(error: unknown, retryInMs: number): void;
  /** What `isUnreadable` says of: until somebody mends it. */
  onUnreadable(error: unknown, retryInMs: number): void;
  /** What was unreadable can be read. */
  onReadable(): void;
}

/**
 * Whether the error comes again however often the work is repeated: what is stored has another form. Everything else may
 * be the stores' or the log's, whose failures are not all named (shared/store/store-errors.ts), and pass.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ZodError || isTooMuch(error);
}

/** Whether more was asked than one answer takes: it can be asked in smaller parts, and a part that is too much alone is left out. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof AnswerTooLongError || error instanceof ReadTooLargeError;
}

const DELAYS = { firstMs: 250, longestMs: 15_000 };
/** A person mends what can not be read. */
export const UNREADABLE_RETRY_MS = 5 * MINUTE_MS;

/** What is not to be tried again here. */
const isFinal = (error: unknown) =>
  error instanceof StaleAssignmentError ||
  error instanceof PartitionLeftError ||
  error instanceof RowsRefusedError;

/**
 * What the work resolves to, however often it has to be tried.
 * @param work must be repeatable. @throws PartitionLeftError, StaleAssignmentError; a RowsRefusedError of its own
 */
export async function keepTrying<T>(work: () => Promise<T>, trying: Trying): Promise<T> {
  const { left } = trying;
  const nextDelay = doublingDelay(DELAYS);
  let wasUnreadable = false;
  for (;;) {
    if (left.aborted) throw new PartitionLeftError('the partition is left');
    try {
      const result = await work();
      if (wasUnreadable) trying.onReadable();
      return result;
    } catch (error) {
      if (isFinal(error)) throw error;
      if (left.aborted) throw new PartitionLeftError('the partition is left', { cause: error });
      wasUnreadable ||= isUnreadable(error);
      const delay = isUnreadable(error) ? UNREADABLE_RETRY_MS : nextDelay();
      if (isUnreadable(error)) trying.onUnreadable(error, delay);
      else trying.onFailure(error, delay);
      await pause(delay, left);
    }
  }
}

/**
 * {@link keepTrying} for a write. Failures whose blame is not known are the store's here: what the detector writes is of its own making.
 * @param mostRefusals of the rows, not of what the store lacks @throws RowsRefusedError after so many
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
