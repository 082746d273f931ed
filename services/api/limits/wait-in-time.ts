import { PublicError } from '../../../shared/errors.js';
import { ReadEndedError } from '../../../shared/store/store-errors.js';

/** Waiting for a place, and the refusal after too long a wait. */

/** Waiting calls or reads. A call makes about ten reads. The limit keeps the wait of an organisation shorter than its callers' time-outs. */
export const WAITING = { total: 4_096, mostOfOwner: 256 };
/** After this wait a refusal is better than a longer wait: most clients time out after 30 seconds. */
export const MOST_WAIT_MS = 10_000;
const LONGEST_RETRY_SECONDS = 60;

interface WaitOptions {
  readonly mostMs: number;
  /** The error after this time. It is made then, because Retry-After follows from the queue at that time. */
  readonly late: () => Error;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls `work` with a signal that fires with the caller's, or after `mostMs`.
 * @throws ReadEndedError if the caller's signal fires first, as a running statement: no section of an answer may count it as its own failure
 */
export async function waitInTime<Result>(
  work: (end: AbortSignal) => Promise<Result>,
  { mostMs, late, signal }: WaitOptions,
): Promise<Result> {
  const ended = (cause: unknown) => new ReadEndedError('the read was cancelled', { cause });
  if (signal?.aborted) throw ended(signal.reason);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(late()), mostMs);
  try {
    return await work(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]));
  } catch (error) {
    throw signal?.aborted ? ended(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** @param waitMs estimated time until the caller would have a place */
export function refusal(waitMs: number): PublicError {
  const seconds = Math.ceil(waitMs / 1000);
  return new PublicError('unavailable', 'Too many reads are waiting; repeat the call.', {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
  });
}
