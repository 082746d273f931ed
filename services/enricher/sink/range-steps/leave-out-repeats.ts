import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { recordsOf } from '../range/prepare-range.js';
import type { KnownBlocks } from '../range/repeated-blocks.js';
import { type LeaveOutRefusedDependencies, leaveOutRefused } from './leave-out-refused.js';
import type { RangeStep } from './range-step.js';
import type { StoreWork, TrialWork } from './store-attempts.js';

export interface LeaveOutRepeatsDependencies extends LeaveOutRefusedDependencies {
  readonly memory: Pick<KnownBlocks, 'findRepeats'>;
  /** A record that any working store accepts. */
  plainRecord(): LogRecord;
  onKnownBlocksFailure(error: unknown, retryInMs: number): void;
}

/**
 * Leaves out the records that repeat a stored block (repeated-blocks.ts). The previous range is done, so its
 * blocks are known.
 *
 * A record whose query the store refuses goes to the dead letters. Storing it without an answer would be
 * wrong: the next attempt may get an answer, and leave out rows that this attempt stored in some tables.
 */
export function leaveOutRepeats(deps: LeaveOutRepeatsDependencies): RangeStep {
  const { memory, attempts, hold } = deps;

  const questionOf = (records: readonly LogRecord[]): StoreWork<ReadonlySet<number>> => ({
    run: () => memory.findRepeats(records),
    onFailure: deps.onKnownBlocksFailure,
  });

  const trial: TrialWork = {
    plain: async () => questionOf([deps.plainRecord()]),
    of: async (some) => questionOf(some),
  };

  return {
    name: 'repeats',
    async run(given) {
      let range = given;
      const nextDelay = attempts.newDelay();
      for (;;) {
        const records = recordsOf(range);
        const asked = await attempts.untilTaken(range, questionOf(records), nextDelay);
        if ('result' in asked) {
          return asked.result.size === 0 ? range : deps.leaveOut(range, asked.result);
        }
        await hold.pause(range, asked.retryInMs);
        range = await leaveOutRefused(deps, range, records, trial);
      }
    },
  };
}
