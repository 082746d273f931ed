import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { doneCommit, type Plan, planCommit, readPlan } from '../../../shared/requests/range-plan.js';
import { RangeLeftError } from './range/hold-range.js';
import type { PreparedRange, RangePreparation } from './range/prepare-range.js';
import { weightOf } from './range/record-limits.js';
import { createRangeQueue, type RangeLimits } from './range-queue.js';
import type { RangeStep } from './range-steps/range-step.js';

/**
 * Stores one assigned partition in ClickHouse, range by range, with the steps of EXACTLY-ONCE.md. The next
 * range is prepared as its records arrive, during the running insert.
 */

export interface PartitionSinkDependencies {
  startRange(plan: Plan | null, mostRows: number): RangePreparation;
  commit(commit: Commit): Promise<void>;
  /**
   * The steps of each range between its plan and its end, in order.
   * @param stopping aborted when the sink must end after the running attempt
   */
  createSteps(stopping: AbortSignal): readonly RangeStep[];
  /** Called after the rows are stored and the range is done. */
  onWritten(range: PreparedRange): void;
  /** The found plan is void (range-queue.ts). Its remaining records are planned again. */
  onVoid(plan: Plan): void;
  onCrash(error: Error): void;
  readonly limits: RangeLimits;
}

export interface PartitionSink {
  /** Resolves when the sink can accept more, which is the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** When the current range was planned, milliseconds since the epoch; null: none is planned. */
  plannedAt(): number | null;
  /** Ends after the running insert attempt. Unfinished records stay in the log. */
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

  /** The steps of EXACTLY-ONCE.md. Each begins when the one before is durable. */
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
    // A failed range ends the loop: no later range may be planned.
    written.catch((error: Error) => queue.fail(error));
    return written;
  }

  /** Null after the queue is closed. */
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
    // After a stale assignment or a stop, the next owner finds the plan.
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
