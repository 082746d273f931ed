import { LONGEST_TARGET } from '../../../../shared/requests/longest-target.js';

/** Limits of the values of every source's requests (docs/limits.md). `records/validate-request.ts` checks them. */

/**
 * A pebibyte. No response is longer, sums over thousands fit into a 64-bit column, and readers accept the number
 * (Avro's long in JavaScript ends below 2^53).
 */
export const MOST_BYTES_SENT = 2 ** 50;
/** The column is a 32-bit integer; a request does not take 24 days. */
export const MOST_TIME_TAKEN_MS = 2 ** 31 - 1;
/** Longest text of fields that clients write, in characters. */
export const LONGEST_FREE_TEXT = LONGEST_TARGET;
