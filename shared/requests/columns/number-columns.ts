import type { RawRequest } from '../raw-request.js';
import { NONE, type NumberColumns } from './request-columns.js';
import { requireWithin } from './require-within.js';

/** @param capacity rows */
export function createNumberColumns(capacity: number): NumberColumns {
  return {
    timestamp: new Float64Array(capacity),
    status: new Uint16Array(capacity),
    bytes_sent: new Float64Array(capacity),
    time_taken_ms: new Uint32Array(capacity),
    source_asn: new Uint32Array(capacity),
  };
}

/** @throws RangeError if a number does not fit its column. */
export function setNumbers(columns: NumberColumns, row: number, request: RawRequest): void {
  columns.timestamp[row] = requireWithin('timestamp', request.timestamp, 0, Number.MAX_SAFE_INTEGER);
  columns.status[row] = requireWithin('status', request.status, 0, 2 ** 16 - 1);
  columns.bytes_sent[row] = requireWithin('bytes_sent', request.bytes_sent, 0, Number.MAX_SAFE_INTEGER);
  columns.time_taken_ms[row] = requireWithin('time_taken_ms', request.time_taken_ms ?? NONE, 0, NONE);
  columns.source_asn[row] = requireWithin('source_asn', request.source_asn ?? NONE, 0, NONE);
}

/** The first rows, as views of the columns. */
export function firstRows(columns: NumberColumns, rows: number): NumberColumns {
  return {
    timestamp: columns.timestamp.subarray(0, rows),
    status: columns.status.subarray(0, rows),
    bytes_sent: columns.bytes_sent.subarray(0, rows),
    time_taken_ms: columns.time_taken_ms.subarray(0, rows),
    source_asn: columns.source_asn.subarray(0, rows),
  };
}
