import { randomUUID } from 'node:crypto';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import type { DeadRecord } from '../range/find-culprits.js';
import type { RangeHold } from '../range/hold-range.js';
import { recordsToStore } from '../range/prepare-range.js';
import type { KnownBlocks } from '../range/repeated-blocks.js';
import type { RangeStep } from './range-step.js';
import type { StoreAttempts, StoreWork } from './store-attempts.js';

export interface RememberBlocksDependencies {
  readonly memory: Pick<KnownBlocks, 'remember'>;
  readonly attempts: StoreAttempts;
  readonly hold: RangeHold;
  /** A record that any working store accepts. */
  plainRecord(): LogRecord;
  onKnownBlocksFailure(error: unknown, retryInMs: number): void;
  /** Called for stored blocks that cannot be remembered: if one is sent again, it counts again. */
  onForgotten(refused: readonly DeadRecord[]): void;
}

/** Remembers the stored blocks of named uploads, so that repeats are recognised (repeated-blocks.ts). */
export function rememberBlocks(deps: RememberBlocksDependencies): RangeStep {
  const { memory, attempts, hold } = deps;
  const workOf = (records: readonly LogRecord[], token: string): StoreWork<void> => ({
    run: () => memory.remember(records, token),
    onFailure: deps.onKnownBlocksFailure,
  });

  return {
    name: 'upload blocks',
    async run(range) {
      const records = recordsToStore(range);
      const nextDelay = attempts.newDelay();
      for (;;) {
        const attempt = await attempts.untilTaken(range, workOf(records, range.token), nextDelay);
        if ('result' in attempt) return range;
        await hold.pause(range, attempt.retryInMs);
        // A trial remembers the blocks that the store accepts: the table replaces rows by position. Each
        // trial has a new token, or the engine would drop it as a repeat.
        const refused = await attempts.findRefused(range, records, {
          plain: async () => workOf([deps.plainRecord()], `trial/${randomUUID()}`),
          of: async (some) => workOf(some, `trial/${randomUUID()}`),
        });
        if (refused.length === 0) continue;
        deps.onForgotten(refused);
        return range;
      }
    },
  };
}
