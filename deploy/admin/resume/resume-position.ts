import type { Commit } from '../../../shared/event-log/event-log.js';
import { readPlan } from '../../../shared/requests/range-plan.js';
import { AdminError } from '../instance/instance.js';

/** Finds the offset at which the enrichers' group continues in one partition of `requests.raw`, from the stored rows. Pure. */

export interface PartitionState {
  readonly partition: number;
  /** Null: the group has committed nothing, or its commits were lost. */
  readonly committed: Commit | null;
  /** Offset of the newest record with rows in the store; null: none has. */
  readonly lastStored: number | null;
  readonly oldest: number;
  /** The next offset to be given. */
  readonly end: number;
}

export interface ResumePosition {
  readonly partition: number;
  readonly from: number | null;
  readonly to: number;
  readonly end: number;
  /** Records that the log dropped by age and the store does not have. Null: the store has nothing that says. */
  readonly lost: number | null;
  /** Whether the commit has to change. */
  readonly moves: boolean;
}

/**
 * Ranges of a partition are stored one after the other, so that everything before the newest stored record is stored. A range that is
 * planned and stored in part stays planned: the enricher repeats it under its own token.
 * @throws AdminError where the store has records that the log does not have; UnknownPlanError
 */
export function resumePosition(state: PartitionState): ResumePosition {
  const { partition, committed, lastStored, oldest, end } = state;
  const next = lastStored === null ? oldest : lastStored + 1;
  if (next > end)
    throw new AdminError(
      `partition ${partition}: the store has records up to offset ${lastStored}, and the log ends at ${end}. It is another log, or an older copy: bring back the log and the store of one time`,
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
