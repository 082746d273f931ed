import type { JsonRecord } from './source.js';

const empty: JsonRecord = {};

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A record inside of another; an empty one where the value is something else, so that its fields count as absent. */
export function readRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : empty;
}
