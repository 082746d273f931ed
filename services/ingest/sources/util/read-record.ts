import type { JsonRecord } from './source.js';

const empty: JsonRecord = {};

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A nested record; an empty one for any other value, so that its fields count as missing. */
export function readRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : empty;
}
