import { isRecord } from '../sources/util/read-record.js';
import type { JsonRecord } from '../sources/util/source.js';

export interface RecordHandler {
  onRecord(record: JsonRecord, number: number): void;
  onInvalid(number: number, reason: string): void;
  /** Whether the record is itself a request; a list in it is then a field. Absent: no record is. */
  isRequest?(record: JsonRecord): boolean;
}

/** Passes the records of a parsed value to the handler: the value itself, or an array's items. */
export function unwrapRecords(value: unknown, number: number, handler: RecordHandler): void {
  if (Array.isArray(value)) for (const item of value) unwrapRecord(item, number, handler);
  else unwrapRecord(value, number, handler);
}

export function unwrapRecord(value: unknown, number: number, handler: RecordHandler): void {
  if (isRecord(value)) handler.onRecord(value, number);
  else handler.onInvalid(number, 'not a JSON object');
}
