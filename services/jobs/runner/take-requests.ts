import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { decodeJobRequest } from '../../../shared/jobs/job-request.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { Assignment } from './assignments.js';
import { createOffsetTracker } from './offset-tracker.js';
import type { Runner } from './runner.js';

export interface TakeOptions {
  readonly runner: Pick<Runner, 'request'>;
  /** Everything before the offset is done. A failure is the caller's to log: the next commit says it, too. */
  readonly commit: (partition: number, offset: number) => Promise<void>;
  readonly logger: Logger;
}

/** @returns what takes the records of a partition, in order, has their jobs run, and commits how far they ran. It does not wait for the runs. */
export function createRequestTaker(assignment: Assignment, { runner, commit, logger }: TakeOptions) {
  const offsets = createOffsetTracker();

  async function runRequested(value: Buffer): Promise<boolean> {
    try {
      return await runner.request(decodeJobRequest(value), assignment);
    } catch (error) {
      logger.warn({ err: error }, 'a request that can not be read');
      return true;
    }
  }

  async function take({ offset, value }: LogRecord): Promise<void> {
    offsets.begin(offset);
    if (await runRequested(value)) await commit(assignment.partition, offsets.end(offset));
  }

  return (records: readonly LogRecord[]): void => {
    for (const record of records) if (!assignment.leaving.signal.aborted) void take(record);
  };
}
