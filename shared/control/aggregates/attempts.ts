/** Shared by crawls and exports: they are retried until they end, and an attempt can be returned. */

interface Attempted {
  readonly status: string;
  readonly attempts: number;
  readonly returned: readonly number[];
}

/**
 * Further returns count as failures. Without this bound, a job would restart for ever if websites keep changing owners.
 */
const MOST_RETURNED = 50;

/** Attempts that were started and not returned. Their number is bounded. */
export function countedAttempts({ attempts, returned }: Omit<Attempted, 'status'>): number {
  return attempts - returned.length;
}

export function isOfAttempt<Row extends Attempted>(held: Row | undefined, attempt: number): held is Row {
  return held !== undefined && held.status === 'processing' && held.attempts === attempt;
}

/** Whether an attempt of an open job can be returned. */
export function isReturnable({ status, attempts, returned }: Attempted, attempt: number): boolean {
  if (attempt > attempts) return false;
  // A failed attempt has counted, and an attempt is returned only once.
  if (status !== 'processing' && attempt === attempts) return false;
  return !returned.includes(attempt) && returned.length < MOST_RETURNED;
}
