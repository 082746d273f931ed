import { type Commit, StaleAssignmentError } from '../../../../shared/event-log/event-log.js';
import { pause } from '../../../../shared/pacing/pause.js';
import { planCommit } from '../../../../shared/requests/range-plan.js';
import type { PreparedRange } from './prepare-range.js';

/** The sink stops before its range is done. The plan stands: whoever comes next inserts this very range. */
export class RangeLeftError extends Error {}

/** Whether the range in hand is still this sink's to store. */
export interface RangeHold {
  /** @throws StaleAssignmentError */
  requireNotLost(): void;
  /**
   * Commits the plan again, so that who lost the partition learns it before it writes anything.
   * @throws StaleAssignmentError, RangeLeftError, LogUnavailableError
   */
  requireOurs(range: PreparedRange): Promise<void>;
  /** Waits, but not for who has lost the range or is to stop; then {@link requireOurs}. */
  pause(range: PreparedRange, ms: number): Promise<void>;
}

export interface HoldDependencies {
  commit(commit: Commit): Promise<void>;
  /** The partition has gone to another consumer. */
  readonly lost: AbortSignal;
  /** The sink is to end after the running attempt. */
  readonly stopping: AbortSignal;
}

export function createRangeHold({ commit, lost, stopping }: HoldDependencies): RangeHold {
  function requireNotLost(): void {
    if (lost.aborted) throw new StaleAssignmentError('the partition has gone to another consumer');
  }

  async function requireOurs(range: PreparedRange): Promise<void> {
    requireNotLost();
    if (stopping.aborted) throw new RangeLeftError('stopped before the range was stored');
    await commit(planCommit(range.plan));
  }

  return {
    requireNotLost,
    requireOurs,
    async pause(range, ms) {
      await pause(ms, AbortSignal.any([lost, stopping]));
      await requireOurs(range);
    },
  };
}
