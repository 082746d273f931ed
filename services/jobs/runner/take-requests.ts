import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { decodeJobRequest } from '../../../shared/jobs/job-request.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { Assignment } from './assignments.js';
import { createOffsetTracker } from './offset-tracker.js';
import type { Runner } from './runner.js';

export interface TakeOptions {
  readonly runner: Pick<Runner, 'request'>;
  /** Commits the offset: all records before it are done. The caller logs a failure, and the next commit covers it. */
  readonly commit: (partition: number, offset: number) => Promise<void>;
  readonly logger: Logger;
}

/** @returns a function that takes the records of a partition in order, requests their jobs, and commits as they end. It does not wait for the runs */
export function createRequestTaker(assignment: Assignment, { runner, commit, logger }: TakeOptions) {
  const offsets = createOffsetTracker();

  async function runRequested(value: Buffer): Promise<boolean> {
    try {
      return await runner.request(decodeJobRequest(value), assignment);
    } catch (error) {
      logger.warn({ err: error }, 'a request cannot be read');
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
