import { gunzipSync } from 'node:zlib';
import type { JsonRecord } from '../sources/util/source.js';
import { decodeBytes } from '../text/decode-bytes.js';
import { parseJson } from '../text/parse-json.js';
import type { Content, Unpacking } from './envelope.js';

/**
 * Limit of one message after decompression. Firehose takes 1,000 KiB per record, and CloudWatch fills it with
 * compressed lines. Ten times that is more than their batches of logs inflate to, and fits in memory.
 */
const MOST_INFLATED = 16 * 1024 * 1024;

/** Decodes base64 of a message, and inflates it if it begins like gzip. @returns null if either fails */
export function decodeMessage(base64: string, unpacking: Unpacking): string | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 && base64 !== '') return null;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decodeBytes(bytes);
  let inflated: Buffer;
  try {
    inflated = gunzipSync(bytes, { maxOutputLength: MOST_INFLATED });
  } catch {
    return null;
  }
  unpacking.onInflated(inflated.length);
  return decodeBytes(inflated);
}

/**
 * Ten times a batch of CloudWatch. 20 KB of compressed text may have millions of lines, and one turn of the event
 * loop takes a whole message.
 */
export const MOST_CONTENTS = 100_000;
export const tooMany: readonly Content[] = [
  { reject: `message: more than ${MOST_CONTENTS} lines or records` },
];

/** A message without a line: its record counts once, as each record does. */
export const nothingInside: readonly Content[] = [{ skip: 'no log inside' }];

function holdsTooManyLines(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (++lines > MOST_CONTENTS) return true;
  return false;
}

/** The lines of a text; a JSON line is a record. An indented object or an array is one text. */
export function contentsOf(text: string): readonly Content[] {
  const whole = text.charCodeAt(0) === 123 || text.charCodeAt(0) === 91 ? parseJson(text) : undefined;
  if (whole !== undefined) {
    const items = Array.isArray(whole) ? whole : [whole];
    if (items.length === 0) return nothingInside;
    return items.length > MOST_CONTENTS ? tooMany : items.map(contentOfValue);
  }
  if (holdsTooManyLines(text)) return tooMany;
  const lines = text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '');
  return lines.length === 0 ? nothingInside : lines.map((line) => ({ line }));
}

/** An item of a list: a record, or the text of a line. */
export function contentOfValue(value: unknown): Content {
  if (typeof value === 'string') return { line: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { reject: 'not a JSON object' };
  return { record: value as JsonRecord };
}
