import { LONGEST_TARGET } from '../../../../shared/requests/longest-target.js';

/** Limits of a request's values, whatever source it came from (docs/limits.md). `records/validate-request.ts` checks them. */

/**
 * A pebibyte: no response is longer, sums over thousands stay below what a 64-bit column holds, and what reads the number
 * (Avro's long in JavaScript ends below 2^53) takes it.
 */
export const MOST_BYTES_SENT = 2 ** 50;
/** The column is a 32-bit integer; a request does not take 24 days. */
export const MOST_TIME_TAKEN_MS = 2 ** 31 - 1;
/** Characters kept of the fields that clients write. */
export const LONGEST_FREE_TEXT = LONGEST_TARGET;
