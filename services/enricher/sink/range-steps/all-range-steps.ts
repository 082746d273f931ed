import { type InsertRangeDependencies, insertRange } from './insert-range.js';
import { type LeaveOutRepeatsDependencies, leaveOutRepeats } from './leave-out-repeats.js';
import type { RangeStep } from './range-step.js';
import { type RememberBlocksDependencies, rememberBlocks } from './remember-blocks.js';
import { type SendArrivalsDependencies, sendArrivals } from './send-arrivals.js';
import { type SendDeadLettersDependencies, sendDeadLetters } from './send-dead-letters.js';

export type RangeStepDependencies = LeaveOutRepeatsDependencies &
  SendDeadLettersDependencies &
  InsertRangeDependencies &
  RememberBlocksDependencies &
  SendArrivalsDependencies;

/**
 * The steps of a range, in order. EXACTLY-ONCE.md numbers them from 2; step 1 is the plan. Another report of
 * each stored range is added here after the rows, with its own file, so that its reader finds the rows.
 */
export function createRangeSteps(deps: RangeStepDependencies): readonly RangeStep[] {
  return [
    leaveOutRepeats(deps),
    sendDeadLetters(deps),
    insertRange(deps),
    rememberBlocks(deps),
    sendArrivals(deps),
  ];
}
