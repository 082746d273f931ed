import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { giveBodyMemoryBack } from '../range/body-memory.js';
import { recordsToStore } from '../range/prepare-range.js';
import { type LeaveOutRefusedDependencies, leaveOutRefused } from './leave-out-refused.js';
import type { RangeStep } from './range-step.js';
import type { StoreWork, TrialWork } from './store-attempts.js';

/** One body of rows for the table `requests`. */
export interface Insertion {
  /** In the Native format. */
  readonly body: Buffer;
  readonly rows: number;
  readonly token: string;
  /** Whose rows they are; absent: nobody's, of a trial. */
  readonly websiteIds?: ReadonlySet<string>;
}

export interface InsertRangeDependencies extends LeaveOutRefusedDependencies {
  /** One attempt; `lost` gives it up. Rejects with what the store said. */
  insert(insertion: Insertion, lost: AbortSignal): Promise<void>;
  /** The records' rows as a trial (trial-rows.ts) under a token of its own; null where they have none. */
  encodeTrial(records: readonly LogRecord[]): Promise<Insertion | null>;
  /** A record that the store takes if it takes any. */
  plainRecord(): LogRecord;
  onInsertFailure(error: unknown, failed: { token: string; rows: number; retryInMs: number }): void;
  /** The partition has gone to another consumer. */
  readonly lost: AbortSignal;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Inserts the rows of a range, and again for as long as that fails: the token makes a repeat harmless, and the log keeps what
 * waits. Where the store refuses the rows, the records that it refuses go to the dead letters and are left out.
 */
export function insertRange(deps: InsertRangeDependencies): RangeStep {
  const { attempts, hold } = deps;

  function workOf(insertion: Insertion, onFailed = () => {}): StoreWork<void> {
    const { token, rows } = insertion;
    return {
      run: () => deps.insert(insertion, deps.lost),
      onFailure(error, retryInMs) {
        onFailed();
        deps.onInsertFailure(error, { token, rows, retryInMs });
      },
    };
  }

  const trial: TrialWork = {
    plain: async () => workOf((await deps.encodeTrial([deps.plainRecord()])) as Insertion),
    async of(some) {
      const insertion = await deps.encodeTrial(some);
      return insertion === null ? null : workOf(insertion);
    },
  };

  return {
    name: 'rows',
    async run(given) {
      let range = given;
      let hasFailed = false;
      const nextDelay = attempts.newDelay();
      while (range.rows > 0) {
        const work = workOf(range, () => {
          hasFailed = true;
        });
        const inserted = await attempts.untilTaken(range, work, nextDelay);
        if ('result' in inserted) break;
        await hold.pause(range, inserted.retryInMs);
        range = await leaveOutRefused(deps, range, recordsToStore(range), trial);
      }
      // A request that has failed may still be sending the body.
      if (!hasFailed) giveBodyMemoryBack(range.body);
      return { ...range, body: NO_BYTES };
    },
  };
}
