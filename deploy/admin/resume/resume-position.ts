import type { Commit } from '../../../shared/event-log/event-log.js';
import { readPlan } from '../../../shared/requests/range-plan.js';
import { AdminError } from '../instance/instance.js';

/** Computes from the stored rows where the enrichers' group continues in one partition of `requests.raw`. Pure. */

export interface PartitionState {
  readonly partition: number;
  /** Null: the group has no commit, or its commits were lost. */
  readonly committed: Commit | null;
  /** Offset of the newest record with rows in the store; null: there is none. */
  readonly lastStored: number | null;
  readonly oldest: number;
  /** The next free offset. */
  readonly end: number;
}

export interface ResumePosition {
  readonly partition: number;
  readonly from: number | null;
  readonly to: number;
  readonly end: number;
  /** Number of records that the log dropped by age and the store does not have. Null: unknown, since the store has no rows. */
  readonly lost: number | null;
  /** Whether the commit has to change. */
  readonly moves: boolean;
}

/**
 * Ranges of a partition are stored in order, so all records before the newest stored record are stored. A planned range
 * that is partly stored stays planned: the enricher repeats it under the same token.
 * @throws AdminError if the store has records that the log does not have; UnknownPlanError
 */
export function resumePosition(state: PartitionState): ResumePosition {
  const { partition, committed, lastStored, oldest, end } = state;
  const next = lastStored === null ? oldest : lastStored + 1;
  if (next > end)
    throw new AdminError(
      `partition ${partition}: the store has records up to offset ${lastStored}, but the log ends at ${end}. The log is a different one, or an older copy: restore the log and the store from the same time`,
    );
  const plan = readPlan(committed);
  const from = committed?.offset ?? null;
  const lost = lastStored === null ? null : Math.max(0, oldest - next);
  const place = { partition, from, end };
  if (plan !== null && next >= plan.first && next <= plan.last + 1)
    return { ...place, to: plan.first, lost: 0, moves: false };
  const to = Math.max(oldest, next);
  return { ...place, to, lost, moves: from !== to || plan !== null };
}
