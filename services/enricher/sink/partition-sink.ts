import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { doneCommit, type Plan, planCommit, readPlan } from '../../../shared/requests/range-plan.js';
import { RangeLeftError } from './range/hold-range.js';
import type { PreparedRange, RangePreparation } from './range/prepare-range.js';
import { weightOf } from './range/record-limits.js';
import { createRangeQueue, type RangeLimits } from './range-queue.js';
import type { RangeStep } from './range-steps/range-step.js';

/**
 * Carries one assigned partition into ClickHouse, range by range, by the steps of EXACTLY-ONCE.md. The next range is
 * prepared while the running one is inserted, as its records come.
 */

export interface PartitionSinkDependencies {
  startRange(plan: Plan | null, mostRows: number): RangePreparation;
  commit(commit: Commit): Promise<void>;
  /**
   * What is done to each range between its plan and its end, in this order.
   * @param stopping aborted when the sink is to end after the running attempt.
   */
  createSteps(stopping: AbortSignal): readonly RangeStep[];
  /** After the rows are stored and the range is done. */
  onWritten(range: PreparedRange): void;
  /** The plan that was found is void (range-queue.ts); its records, where there are any, are planned anew. */
  onVoid(plan: Plan): void;
  onCrash(error: Error): void;
  readonly limits: RangeLimits;
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
  let plannedAt = plan?.plannedAt ?? null;
  const queue = createRangeQueue({
    ...deps.limits,
    plannedLast: plan?.last ?? null,
    onVoid() {
      plannedAt = null;
      deps.onVoid(plan as Plan);
    },
  });
  const stopping = new AbortController();
  const steps = deps.createSteps(stopping.signal);
  let writing: Promise<void> | null = null;

  /** The steps of EXACTLY-ONCE.md, each only after the one before is durable. */
  async function write(prepared: PreparedRange): Promise<void> {
    plannedAt = prepared.plan.plannedAt;
    await deps.commit(planCommit(prepared.plan));
    let range = prepared;
    for (const step of steps) range = await step.run(range);
    await deps.commit(doneCommit(range.plan.last));
    plannedAt = null;
    queue.stored(range.records.reduce((sum, { value }) => sum + weightOf(value), 0));
    deps.onWritten(range);
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

  /** Null once the queue is closed. */
  async function prepareNext(): Promise<PreparedRange | null> {
    let growing: RangePreparation | null = null;
    for (;;) {
      const piece = await queue.next(() => writing !== null);
      if (piece === null) return null;
      growing ??= deps.startRange(piece.planned ? plan : null, piece.mostRows);
      await growing.add(piece.records);
      if (piece.ends) return growing.end();
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const range = await prepareNext();
      if (range === null) break;
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
