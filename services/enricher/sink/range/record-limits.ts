import {
  countRequests,
  expandedBytes,
  weighRequests,
} from '../../../../shared/requests/columns/raw-block-codec.js';

/**
 * What one record may cost, whoever wrote it. Ingest closes its blocks at 2,000 requests and some 8 MB (services/ingest/blocks, with every
 * field at its limit), and no batch of the log is larger than 8 MiB on Kafka: what is beyond these is no block of ours.
 */
const MOST_BYTES = 32 * 1024 ** 2;
/** A request of 10 bytes becomes a row of some 200. */
const MOST_REQUESTS = 50_000;

/** Why the record is not decoded at all; null where it may be. */
export function overLimit(value: Buffer): string | null {
  if (expandedBytes(value) > MOST_BYTES) return `longer than ${MOST_BYTES} bytes`;
  if (countRequests(value) > MOST_REQUESTS) return `announces more than ${MOST_REQUESTS} requests`;
  return null;
}

/** Rows that it can become. */
export function rowsOf(value: Buffer): number {
  return overLimit(value) === null ? countRequests(value) : 0;
}

/** What its rows cost, in ordinary rows. */
export function weightOf(value: Buffer): number {
  return overLimit(value) === null ? weighRequests(value) : 0;
}

/** Rows that they can become together. */
export function mostRowsOf(records: readonly { readonly value: Buffer }[]): number {
  return records.reduce((sum, { value }) => sum + rowsOf(value), 0);
}
