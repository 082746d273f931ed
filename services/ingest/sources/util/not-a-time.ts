import { quote } from './cut-text.js';
import type { Rejection } from './source.js';

const EPOCH_OR_ISO =
  'ISO 8601 (YYYY-MM-DDTHH:MM or …:SS.fff, then Z, ±HH:MM or nothing for UTC) or the epoch in seconds, milliseconds, microseconds or nanoseconds';

/** Why a record has no time. @param expected the forms that its source takes. */
export function notATime(value: unknown, expected = EPOCH_OR_ISO): Rejection {
  if (value === undefined || value === null || value === '') return { reject: 'timestamp: missing' };
  const written = typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
  return { reject: `timestamp: not a time: ${quote(written)}; expected ${expected}` };
}
