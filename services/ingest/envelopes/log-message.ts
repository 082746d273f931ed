import { readRecord } from '../sources/util/read-record.js';
import type { JsonRecord } from '../sources/util/source.js';
import { decodeBytes } from '../text/decode-bytes.js';
import { contentsOf } from './decode-text.js';
import type { Content, RecordEnvelope } from './envelope.js';
import { partOfRecord } from './part-of-record.js';

/**
 * A shipper's event around a line: Vector, Fluentd, Logstash and Filebeat call it `message`, Fluent Bit and
 * Docker `log`, journald `MESSAGE`, GELF `short_message`; Logstash and Filebeat keep the original line in
 * `event.original`. It may be a part of a line.
 */
export const logMessage: RecordEnvelope = {
  name: 'log-message',
  open(record, { parts }) {
    const text = textOf(record);
    // A runtime may cut a line at its very end.
    if (text === null && !carriers.some((name) => record[name] === '')) return null;
    const part = partOfRecord(record, text ?? '', parts.isWaiting);
    if (part !== null) return contentsOfParts(parts.join(part));
    return text === null ? null : contentsOf(text);
  },
};

const carriers = ['message', 'log', 'MESSAGE', 'full_message', 'short_message'] as const;

const aPart: Content = { noRecord: 'a part of a line' };

function contentsOfParts(joined: readonly Content[]): readonly Content[] {
  if (joined.length === 0) return [aPart];
  return joined.flatMap((content) => ('line' in content ? contentsOf(content.line) : [content]));
}

/** The line that the record carries; null for none. */
export function textOf(record: JsonRecord): string | null {
  const original = readRecord(record.event).original ?? record['event.original'];
  for (const value of [original, ...carriers.map((name) => record[name])]) {
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every(isByte))
      return decodeBytes(Buffer.from(value));
  }
  return null;
}

/** journald writes a text with bytes that are not UTF-8, or control characters, as a list of its bytes. */
function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}
