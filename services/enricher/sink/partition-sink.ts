import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import type { DeadRecord } from './find-culprits.js';
import { RangeLeftError } from './hold-range.js';
import type { InsertRange } from './insert-range.js';
import type { RepeatFilter } from './leave-out-repeats.js';
import { doneCommit, type OldPlan, type Plan, planCommit, readPlan } from './plan-range.js';
import type { PreparedRange } from './prepare-range.js';
import { createRangeQueue, type RangeLimits } from './range-queue.js';

/**
 * Carries one assigned partition into ClickHouse, range by range, by the steps of EXACTLY-ONCE.md. The next range is
 * prepared while the running one is inserted.
 */

export interface PartitionSinkDependencies {
  prepare(records: readonly LogRecord[], plan: Plan | OldPlan | null): Promise<PreparedRange>;
  commit(commit: Commit): Promise<void>;
  /**
   * Makes the steps that wait for the store, for as long as it is away.
   * @param stopping aborted when the sink is to end after the running attempt.
   */
  createStoreSteps(stopping: AbortSignal): StoreSteps;
  bury(dead: readonly DeadRecord[]): Promise<void>;
  /** After the rows are stored and the range is done. */
  onWritten(range: PreparedRange): void;
  /** The plan that was found is void (range-queue.ts); its records, where there are any, are planned anew. */
  onVoid(plan: Plan | OldPlan): void;
  onCrash(error: Error): void;
  readonly limits: RangeLimits;
}

export interface StoreSteps extends RepeatFilter {
  readonly insert: InsertRange;
}

export interface PartitionSink {
  /** Resolves when the sink has room for more: the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** When the range was planned that is not done yet, milliseconds since the epoch; null: none is. */
  plannedAt(): number | null;
  /** Ends after the running attempt to insert; what is not done stays in the log. */
  stop(): Promise<void>;
}

/** @throws UnknownPlanError */
export function createPartitionSink(
  committed: Commit | null,
  deps: PartitionSinkDependencies,
): PartitionSink {
  const plan = readPlan(committed);
  let plannedAt = plan === null || plan.mark === null ? null : plan.plannedAt;
  const queue = createRangeQueue({
    ...deps.limits,
    planned: plan === null ? null : { last: plan.last, old: plan.mark === null },
    onVoid() {
      plannedAt = null;
      deps.onVoid(plan as Plan | OldPlan);
    },
  });
  const stopping = new AbortController();
  const store = deps.createStoreSteps(stopping.signal);
  let writing: Promise<void> | null = null;

  /** The steps of EXACTLY-ONCE.md, each only after the one before is durable. */
  async function write(prepared: PreparedRange): Promise<void> {
    plannedAt = prepared.plan.plannedAt;
    await deps.commit(planCommit(prepared.plan));
    // The range before is done here: all that this one may repeat is known.
    const range = await store.leaveOutRepeats(prepared);
    if (range.dead.length > 0) await deps.bury(range.dead);
    const stored = await store.insert(range);
    await store.remember(stored);
    await deps.commit(doneCommit(range.plan.last));
    plannedAt = null;
    deps.onWritten(stored);
  }

  function startWriting(range: PreparedRange): Promise<void> {
    const written = write(range).then(() => {
      writing = null;
      queue.wake();
    });
    // A failed range ends the loop: nothing after it may be planned.
    written.catch((error: Error) => queue.fail(error));
    return written;
  }

  async function run(): Promise<void> {
    for (;;) {
      const closed = await queue.next(() => writing !== null);
      if (closed === null) break;
      const range = await deps.prepare(closed.records, closed.planned ? plan : null);
      if (writing !== null) await writing;
      if (stopping.signal.aborted) break;
      writing = startWriting(range);
    }
    if (writing !== null) await writing;
  }

  const running = run().catch((error: Error) => {
    queue.close();
    // A stale assignment has a new owner, who finds the plan; so does who comes after a stop.
    if (!(error instanceof StaleAssignmentError || error instanceof RangeLeftError)) deps.onCrash(error);
  });

  return {
    push: (records) => queue.push(records),
    plannedAt: () => plannedAt,
    async stop() {
      queue.close();
      stopping.abort();
      await running;
    },
  };
}
