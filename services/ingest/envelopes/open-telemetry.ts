import { isRecord } from '../sources/util/read-record.js';
import type { JsonRecord } from '../sources/util/source.js';
import { decodeBytes } from '../text/decode-bytes.js';
import { contentsOf } from './decode-text.js';
import type { Content, RecordEnvelope } from './envelope.js';

/**
 * A log record of OpenTelemetry as OTLP writes it in JSON (opentelemetry-proto, logs/v1): its body is a line, or a
 * map of fields. Without a body, the attributes are the fields.
 */
export const openTelemetry: RecordEnvelope = {
  name: 'open-telemetry',
  open(record) {
    const hasTime = record.timeUnixNano !== undefined || record.observedTimeUnixNano !== undefined;
    if (!hasTime && !Array.isArray(record.attributes)) return null;
    const { body, attributes } = record;
    if (body !== undefined && !isRecord(body)) return null;
    if (body === undefined && !Array.isArray(attributes)) return null;
    const text = isRecord(body) ? (body.stringValue ?? textOfBytes(body.bytesValue)) : undefined;
    if (typeof text === 'string' && text.trim() !== '' && !hasFields(attributes)) return contentsOf(text);
    return [recordOf(record, text)];
  },
};

/** Names that show that a record's attributes belong to an HTTP request, not to a log file. */
const requestNames = new Set([
  'http.request.method',
  'http.method',
  'http.response.status_code',
  'http.status_code',
  'DownstreamStatus',
]);

function hasFields(attributes: unknown): boolean {
  return (
    Array.isArray(attributes) && attributes.some((one) => isRecord(one) && requestNames.has(String(one.key)))
  );
}

function recordOf(record: JsonRecord, text: unknown): Content {
  const fields = new Map<string, unknown>();
  const time = record.timeUnixNano ?? record.observedTimeUnixNano;
  if (time !== undefined) fields.set('@timestamp', time);
  addPairs(fields, record.attributes);
  const list = isRecord(record.body) ? record.body.kvlistValue : undefined;
  if (isRecord(list)) addPairs(fields, list.values);
  if (typeof text === 'string') fields.set('message', text);
  return { record: Object.fromEntries(fields) };
}

function addPairs(fields: Map<string, unknown>, pairs: unknown, depth = 0): void {
  if (!Array.isArray(pairs)) return;
  for (const pair of pairs) {
    if (isRecord(pair) && typeof pair.key === 'string') fields.set(pair.key, plainValue(pair.value, depth));
  }
}

/** Requests have no deeper values. */
const MOST_DEPTH = 4;

/** An AnyValue as JSON has it: a 64-bit integer stays text, as OTLP writes it. */
function plainValue(value: unknown, depth: number): unknown {
  if (!isRecord(value) || depth > MOST_DEPTH) return null;
  const { stringValue, intValue, doubleValue, boolValue, bytesValue, arrayValue, kvlistValue } = value;
  const plain = stringValue ?? intValue ?? doubleValue ?? boolValue ?? textOfBytes(bytesValue);
  if (plain !== undefined) return plain;
  if (isRecord(arrayValue) && Array.isArray(arrayValue.values)) {
    return arrayValue.values.map((one) => plainValue(one, depth + 1));
  }
  if (!isRecord(kvlistValue) || !Array.isArray(kvlistValue.values)) return null;
  const fields = new Map<string, unknown>();
  addPairs(fields, kvlistValue.values, depth + 1);
  return Object.fromEntries(fields);
}

/** Bytes, in base64 in JSON: a receiver that decodes nothing puts lines there. */
function textOfBytes(value: unknown): string | undefined {
  return typeof value === 'string' ? decodeBytes(Buffer.from(value, 'base64')) : undefined;
}
