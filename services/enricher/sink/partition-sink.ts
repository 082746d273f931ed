import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { doneCommit, planCommit, plannedLast } from './plan-range.js';
import type { DeadRecord, PreparedRange } from './prepare-range.js';
import { createRangeQueue, type RangeLimits } from './range-queue.js';

/**
 * Carries one assigned partition into ClickHouse, range by range, by the steps of EXACTLY-ONCE.md. The next range is
 * prepared while the running one is inserted.
 */

export interface PartitionSinkDependencies {
  prepare(records: readonly LogRecord[]): Promise<PreparedRange>;
  commit(commit: Commit): Promise<void>;
  /** Resolves when the rows are stored; retries by itself for as long as the store is away. */
  insert(range: PreparedRange): Promise<void>;
  bury(dead: readonly DeadRecord[]): Promise<void>;
  /** After the rows are stored and the range is done. */
  onWritten(range: PreparedRange): void;
  onCrash(error: Error): void;
  readonly limits: RangeLimits;
}

export interface PartitionSink {
  /** Resolves when the sink has room for more: the consumer's back-pressure. */
  push(records: readonly LogRecord[]): Promise<void>;
  /** Ends after the running range; what is queued stays in the log. */
  stop(): Promise<void>;
}

export function createPartitionSink(
  committed: Commit | null,
  deps: PartitionSinkDependencies,
): PartitionSink {
  const queue = createRangeQueue(plannedLast(committed), deps.limits);
  let writing: Promise<void> | null = null;

  async function write(range: PreparedRange): Promise<void> {
    await deps.commit(planCommit(range.first, range.last));
    if (range.dead.length > 0) await deps.bury(range.dead);
    if (range.rows > 0) await deps.insert(range);
    await deps.commit(doneCommit(range.last));
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

  async function run(): Promise<void> {
    for (;;) {
      const records = await queue.next(() => writing !== null);
      if (records === null) break;
      const range = await deps.prepare(records);
      if (writing !== null) await writing;
      writing = startWriting(range);
    }
    if (writing !== null) await writing;
  }

  const running = run().catch((error: Error) => {
    queue.close();
    // A stale assignment has a new owner, who finds the plan.
    if (!(error instanceof StaleAssignmentError)) deps.onCrash(error);
  });

  return {
    push: (records) => queue.push(records),
    async stop() {
      queue.close();
      await running;
    },
  };
}
