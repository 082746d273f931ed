import { doublingDelay } from '../../shared/doubling-delay.js';
import { StaleAssignmentError } from '../../shared/event-log/event-log.js';
import { pause } from '../../shared/pause.js';

/** The partition is another owner's, or the service stops: whoever has it next does what was not done. */
export class PartitionLeftError extends Error {}

export interface Trying {
  /** Fires when the partition is to be left. */
  readonly left: AbortSignal;
  onFailure(error: unknown, retryInMs: number): void;
}

const DELAYS = { firstMs: 250, longestMs: 15_000 };

/**
 * What the work resolves to, however often it has to be tried.
 * @param work must be repeatable. @throws PartitionLeftError, StaleAssignmentError
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
      const delay = nextDelay();
      onFailure(error, delay);
      await pause(delay, left);
    }
  }
}
