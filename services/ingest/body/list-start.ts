/**
 * The kind of a list, by the text of the body's first record before its bracket:
 * - wrapper: the records, as `{"events":[`; - late: the same after other values (Firehose's request id and time);
 * - otlp: resource logs of OTLP.
 */
export type ListStart = 'wrapper' | 'late' | 'otlp';

const WRAPPER = /^\s*\{\s*"(?:events|logs|records|data)"\s*:\s*$/;
const LATE = /^\s*\{(?:\s*"[A-Za-z]{1,20}"\s*:\s*(?:"[^"\\]{0,64}"|\d{1,20})\s*,){1,3}\s*"records"\s*:\s*$/;
const OTLP = /^\s*\{\s*"resourceLogs"\s*:\s*$/;

/** Longest text before such a list; longer ones are not checked. */
export const LIST_START_BYTES = 256;

/** @returns null if the list belongs to a record */
export function listStartOf(before: string): ListStart | null {
  if (WRAPPER.test(before)) return 'wrapper';
  if (LATE.test(before)) return 'late';
  return OTLP.test(before) ? 'otlp' : null;
}
