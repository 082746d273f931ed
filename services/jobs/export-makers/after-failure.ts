import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { FileStoreError } from '../../../shared/files/file-store.js';
import { ReadTooLargeError, StoreTimeoutError } from '../../../shared/store/store-errors.js';
import { ExportRefusedError } from './maker.js';

/** Longest time of one attempt. */
export const ATTEMPT_MS = 30 * MINUTE_MS;
export const MOST_ATTEMPTS = 5;

const FIRST_WAIT_MS = 15 * SECOND_MS;
const WAIT_GROWTH = 4;
/** An export that timed out will time out again, unless another load was the cause. */
const ATTEMPTS_OUT_OF_TIME = 2;

export interface AfterFailure {
  /** For the customer. */
  readonly reason: string;
  /** Milliseconds; null: it is not retried. */
  readonly waitMs: number | null;
}

/** The limit that ended the attempt. */
export type Interruption = 'out_of_time' | null;

/** The consequence of a failed attempt. Pure. @param attempt from 1, among those that count */
export function afterFailure(error: unknown, attempt: number, interruption: Interruption): AfterFailure {
  if (error instanceof ExportRefusedError) return { reason: error.message, waitMs: null };
  if (error instanceof ReadTooLargeError)
    return {
      reason: `It takes more memory than one export may have. ${ADVICE}`,
      waitMs: null,
    };
  const isLate = interruption === 'out_of_time' || error instanceof StoreTimeoutError;
  const most = isLate ? ATTEMPTS_OUT_OF_TIME : MOST_ATTEMPTS;
  return {
    reason: isLate ? OUT_OF_TIME : error instanceof FileStoreError ? NOT_STORED : NOT_MADE,
    waitMs: attempt >= most ? null : FIRST_WAIT_MS * WAIT_GROWTH ** (attempt - 1),
  };
}

/** A report has days alone. */
const ADVICE = 'Ask for fewer days, or narrow its filters.';
const OUT_OF_TIME = `It took longer than ${ATTEMPT_MS / MINUTE_MS} minutes. ${ADVICE}`;
const NOT_STORED = 'The file could not be stored, though it was tried several times. Ask for it again later.';
const NOT_MADE = 'It could not be made, though it was tried several times. Ask for it again later.';

/** The error of an export whose last attempt ended with its process. */
export const NEVER_ENDED = `Of ${MOST_ATTEMPTS} attempts none came to its end, and the service ended under it. ${ADVICE}`;
