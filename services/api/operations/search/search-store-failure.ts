import { PublicError } from '../../../../shared/errors.js';
import {
  StoreBusyError,
  StoreOutOfMemoryError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../../../shared/store/store-errors.js';

const failures = [StoreUnavailableError, StoreTimeoutError, StoreBusyError, StoreOutOfMemoryError];
const RETRY_SECONDS = 5;

/** Reports a failure of the store as spec §7 requires for search/performance: 503 with `retryable` true. */
export async function orRetryable<Answer>(read: Promise<Answer>): Promise<Answer> {
  try {
    return await read;
  } catch (error) {
    if (!failures.some((failure) => error instanceof failure)) throw error;
    throw new PublicError('unavailable', 'The data store can not be read now; repeat the call.', {
      cause: error,
      retryAfterSeconds: RETRY_SECONDS,
      fields: { retryable: true },
    });
  }
}
