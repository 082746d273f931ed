import { type InsertRangeDependencies, insertRange } from './insert-range.js';
import { type LeaveOutRepeatsDependencies, leaveOutRepeats } from './leave-out-repeats.js';
import type { RangeStep } from './range-step.js';
import { type RememberBlocksDependencies, rememberBlocks } from './remember-blocks.js';
import { type SendDeadLettersDependencies, sendDeadLetters } from './send-dead-letters.js';
import { type SendSignalsDependencies, sendSignals } from './send-signals.js';

export type RangeStepDependencies = LeaveOutRepeatsDependencies &
  SendDeadLettersDependencies &
  InsertRangeDependencies &
  RememberBlocksDependencies &
  SendSignalsDependencies;

/**
 * The steps of a range, in their order; their numbers in EXACTLY-ONCE.md are their places here, from 2 (1 is the plan). Whatever
 * else is to be told of each stored range once joins here, with a file of its own and a line: behind the rows, so that what it tells
 * of is stored.
 */
export function createRangeSteps(deps: RangeStepDependencies): readonly RangeStep[] {
  return [
    leaveOutRepeats(deps),
    sendDeadLetters(deps),
    insertRange(deps),
    rememberBlocks(deps),
    sendSignals(deps),
  ];
}
