import { isRecord } from '../sources/read-record.js';
import type { JsonRecord } from '../sources/source.js';

/** Names under which shippers put their list of records; looked for under an object's first name only. */
const lists = new Set(['events', 'logs', 'records', 'data']);
/** Names that Logpush templates and shippers put around each record. */
const envelopes = new Set(['info', 'event', 'record']);

export interface RecordHandler {
  onRecord(record: JsonRecord, number: number): void;
  onInvalid(number: number, reason: string): void;
}

/** Hands over the records that a parsed value holds: itself, an array's items, or a named list's. */
export function unwrapRecords(value: unknown, number: number, handler: RecordHandler): void {
  const items = listOf(value);
  if (items === null) unwrapRecord(value, number, handler);
  else for (const item of items) unwrapRecord(item, number, handler);
}

/** An array's items, or those of a named list; null for another value. */
export function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const name = firstName(value);
  const record = value as JsonRecord;
  if (name === undefined || !lists.has(name) || !Object.hasOwn(record, name)) return null;
  const inner = record[name];
  return Array.isArray(inner) ? inner : null;
}

/** Hands over the record that a parsed value is, or holds under a name of its own. */
export function unwrapRecord(value: unknown, number: number, handler: RecordHandler): void {
  if (!isRecord(value)) {
    handler.onInvalid(number, 'not a JSON object');
    return;
  }
  const name = firstName(value);
  const inner = name !== undefined && envelopes.has(name) && Object.hasOwn(value, name) ? value[name] : null;
  handler.onRecord(isRecord(inner) ? inner : value, number);
}

function firstName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name in value) return name;
  return undefined;
}
