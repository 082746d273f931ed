import type { PreparedRange } from '../range/prepare-range.js';

/**
 * What is done to a range between its plan and its end. Each step begins when the one before is durable.
 *
 * A crash after any step runs all of them again on the same range, with the same token, so that a step must be idempotent by
 * the token: written twice under one token, what it writes counts once. The records of the second run are those of the first, or
 * fewer by what the plan left out since; their enrichment may differ (a bot's verdict may have come in between).
 */
export interface RangeStep {
  /** As EXACTLY-ONCE.md calls it. */
  readonly name: string;
  /**
   * Waits for as long as the store is away.
   * @returns the range as it is from here on: under its token, perhaps without some of its records, and behind the rows without its body.
   * @throws StaleAssignmentError, RangeLeftError, LogUnavailableError
   */
  run(range: PreparedRange): Promise<PreparedRange>;
}
