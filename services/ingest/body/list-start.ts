/**
 * What a list's bracket begins, by the text of the body's first record up to it:
 * - wrapper: the records, as `{"events":[`; - late: the same behind other values (Firehose's request id and time);
 * - otlp: resource logs of OTLP.
 */
export type ListStart = 'wrapper' | 'late' | 'otlp';

const WRAPPER = /^\s*\{\s*"(?:events|logs|records|data)"\s*:\s*$/;
const LATE = /^\s*\{(?:\s*"[A-Za-z]{1,20}"\s*:\s*(?:"[^"\\]{0,64}"|\d{1,20})\s*,){1,3}\s*"records"\s*:\s*$/;
const OTLP = /^\s*\{\s*"resourceLogs"\s*:\s*$/;

/** Longest text in front of such a list; a longer one isn't looked at. */
export const LIST_START_BYTES = 256;

/** @returns null where the list is one of a record. */
export function listStartOf(before: string): ListStart | null {
  if (WRAPPER.test(before)) return 'wrapper';
  if (LATE.test(before)) return 'late';
  return OTLP.test(before) ? 'otlp' : null;
}
