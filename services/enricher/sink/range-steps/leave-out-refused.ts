import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import type { DeadRecord } from '../range/find-culprits.js';
import type { RangeHold } from '../range/hold-range.js';
import type { PreparedRange } from '../range/prepare-range.js';
import type { StoreAttempts, TrialWork } from './store-attempts.js';

export interface LeaveOutRefusedDependencies {
  readonly attempts: StoreAttempts;
  readonly hold: RangeHold;
  /** Appends to requests.dead, at least once (dead-letter.ts). */
  deadLetter(dead: readonly DeadRecord[]): Promise<void>;
  /** The range again without these records, under its token. */
  leaveOut(range: PreparedRange, offsets: Iterable<number>): Promise<PreparedRange>;
}

/**
 * The range without records that the store refuses, which go to the dead letters (EXACTLY-ONCE.md, "Refused
 * rows"). The range is unchanged if no record is at fault.
 */
export async function leaveOutRefused(
  { attempts, hold, deadLetter, leaveOut }: LeaveOutRefusedDependencies,
  range: PreparedRange,
  records: readonly LogRecord[],
  trial: TrialWork,
): Promise<PreparedRange> {
  const refused = await attempts.findRefused(range, records, trial);
  if (refused.length === 0) return range;
  // The dead letters come first: a plan that leaves out a record without one would lose it.
  await deadLetter(refused);
  const rest = await leaveOut(
    range,
    refused.map(({ record }) => record.offset),
  );
  await hold.requireOurs(rest);
  return rest;
}
