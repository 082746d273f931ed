import type { PreparedRange } from '../range/prepare-range.js';

/**
 * A step of a range between its plan and its end. Each step begins when the one before is durable.
 *
 * A crash after any step repeats all of them on the same range with the same token. So a step must be
 * idempotent by the token. The second run has the same records, or fewer if the plan has left out more since.
 * Their enrichment may differ, for example by a bot's later verdict.
 */
export interface RangeStep {
  /** The name in EXACTLY-ONCE.md. */
  readonly name: string;
  /**
   * Waits while the store is unavailable.
   * @returns the range for the next steps: with the same token, perhaps without some records, and after the
   * rows step without its body
   * @throws StaleAssignmentError, RangeLeftError, LogUnavailableError
   */
  run(range: PreparedRange): Promise<PreparedRange>;
}
