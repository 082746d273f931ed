/** What crawls and exports have in common: they are tried until they are over, and an attempt can be given back. */

interface Attempted {
  readonly status: string;
  readonly attempts: number;
  readonly returned: readonly number[];
}

/** Further returns count. An installation whose websites never stay with an owner must not begin a job for ever. */
const MOST_RETURNED = 50;

/** Attempts that were begun and not given back: these are bounded. */
export function countedAttempts({ attempts, returned }: Omit<Attempted, 'status'>): number {
  return attempts - returned.length;
}

export function isOfAttempt<Row extends Attempted>(held: Row | undefined, attempt: number): held is Row {
  return held !== undefined && held.status === 'processing' && held.attempts === attempt;
}

/** Whether an attempt of an open job can be given back. */
export function isReturnable({ status, attempts, returned }: Attempted, attempt: number): boolean {
  if (attempt > attempts) return false;
  // A failed one has counted, and one that was given back is not given back twice.
  if (status !== 'processing' && attempt === attempts) return false;
  return !returned.includes(attempt) && returned.length < MOST_RETURNED;
}
