import { type Commit, StaleAssignmentError } from '../../../../shared/event-log/event-log.js';
import { pause } from '../../../../shared/pacing/pause.js';
import { planCommit } from '../../../../shared/requests/range-plan.js';
import type { PreparedRange } from './prepare-range.js';

/** The sink stops before its range is done. The plan stays, and the next owner inserts exactly this range. */
export class RangeLeftError extends Error {}

/** Checks whether this sink still owns the current range. */
export interface RangeHold {
  /** @throws StaleAssignmentError */
  requireNotLost(): void;
  /**
   * Commits the plan again, so that a former owner notices the loss of its partition before it writes.
   * @throws StaleAssignmentError, RangeLeftError, LogUnavailableError
   */
  requireOurs(range: PreparedRange): Promise<void>;
  /** Waits, unless the range is lost or the sink stops; then {@link requireOurs}. */
  pause(range: PreparedRange, ms: number): Promise<void>;
}

export interface HoldDependencies {
  commit(commit: Commit): Promise<void>;
  /** Fires when the partition is assigned to another consumer. */
  readonly lost: AbortSignal;
  /** Fires when the sink must end after the running attempt. */
  readonly stopping: AbortSignal;
}

export function createRangeHold({ commit, lost, stopping }: HoldDependencies): RangeHold {
  function requireNotLost(): void {
    if (lost.aborted) throw new StaleAssignmentError('the partition has another consumer');
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
