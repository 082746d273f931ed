import {
  countRequests,
  expandedBytes,
  weighRequests,
} from '../../../../shared/requests/columns/raw-block-codec.js';

/**
 * Limits of a record from any writer. Ingest closes its blocks at 2,000 requests and about 8 MB, with every field
 * at its limit (services/ingest/blocks). No batch of the log is larger than 8 MiB on Kafka. A larger record was
 * not written by ingest.
 */
const MOST_BYTES = 32 * 1024 ** 2;
/** A request of 10 bytes becomes a row of about 200. */
const MOST_REQUESTS = 50_000;

/** The reason why the record is not decoded; null if it is within the limits. */
export function overLimit(value: Buffer): string | null {
  if (expandedBytes(value) > MOST_BYTES) return `longer than ${MOST_BYTES} bytes`;
  if (countRequests(value) > MOST_REQUESTS) return `announces more than ${MOST_REQUESTS} requests`;
  return null;
}

/** Upper bound of its rows. */
export function rowsOf(value: Buffer): number {
  return overLimit(value) === null ? countRequests(value) : 0;
}

/** The cost of its rows, as a number of ordinary rows. */
export function weightOf(value: Buffer): number {
  return overLimit(value) === null ? weighRequests(value) : 0;
}

/** Rows that they can become together. */
export function mostRowsOf(records: readonly { readonly value: Buffer }[]): number {
  return records.reduce((sum, { value }) => sum + rowsOf(value), 0);
}
