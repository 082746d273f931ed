import type { DataChange } from '../../../../shared/changes/data-change.js';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { giveBodyMemoryBack } from '../range/body-memory.js';
import { recordsToStore } from '../range/prepare-range.js';
import { type LeaveOutRefusedDependencies, leaveOutRefused } from './leave-out-refused.js';
import type { RangeStep } from './range-step.js';
import type { StoreWork, TrialWork } from './store-attempts.js';

/** A body of rows for the table `requests`. */
export interface Insertion {
  /** In the Native format. */
  readonly body: Buffer;
  readonly rows: number;
  readonly token: string;
  /** The websites and hours of the rows; absent for a trial. */
  readonly changes?: readonly DataChange[];
}

export interface InsertRangeDependencies extends LeaveOutRefusedDependencies {
  /** One attempt, which `lost` aborts. Rejects with the store's error. */
  insert(insertion: Insertion, lost: AbortSignal): Promise<void>;
  /** The records' rows as a trial (trial-rows.ts) with a new token; null if they have none. */
  encodeTrial(records: readonly LogRecord[]): Promise<Insertion | null>;
  /** A record that any working store accepts. */
  plainRecord(): LogRecord;
  onInsertFailure(error: unknown, failed: { token: string; rows: number; retryInMs: number }): void;
  /** Fires when the partition is assigned to another consumer. */
  readonly lost: AbortSignal;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Inserts the rows of a range, and retries until it succeeds: the token makes repeats harmless, and the log
 * stores waiting records. If the store refuses the rows, the refused records go to the dead letters and are
 * left out.
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
      // A failed request may still be sending the body.
      if (!hasFailed) giveBodyMemoryBack(range.body);
      return { ...range, body: NO_BYTES };
    },
  };
}
