import protobuf from 'protobufjs/minimal.js';
import type { JsonRecord } from '../sources/util/source.js';

/** Decodes a LogRecord of OTLP (opentelemetry-proto, logs/v1) from protobuf to the object that OTLP has in JSON. */

type Reader = protobuf.Reader;

/** Nesting of values; a request's fields have two levels. */
const MOST_DEPTH = 8;

/** @returns null if the bytes are not a LogRecord */
export function decodeLogRecord(bytes: Uint8Array): JsonRecord | null {
  try {
    return readLogRecord(protobuf.Reader.create(bytes));
  } catch {
    return null;
  }
}

function readLogRecord(reader: Reader): JsonRecord {
  let time = 0;
  let observed = 0;
  let body: unknown;
  const attributes: unknown[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    switch (tag) {
      case fixed64(1):
        time = readFixed64(reader);
        break;
      case fixed64(11):
        observed = readFixed64(reader);
        break;
      case lengthDelimited(5):
        body = readAnyValue(reader, reader.uint32(), 0);
        break;
      case lengthDelimited(6):
        attributes.push(readKeyValue(reader, reader.uint32(), 0));
        break;
      default:
        reader.skipType(tag & 7);
    }
  }
  return {
    timeUnixNano: time === 0 ? undefined : time,
    observedTimeUnixNano: observed === 0 ? undefined : observed,
    body,
    attributes,
  };
}

function readKeyValue(reader: Reader, length: number, depth: number): JsonRecord {
  const end = endOf(reader, length);
  let key = '';
  let value: unknown;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === lengthDelimited(1)) key = reader.string();
    else if (tag === lengthDelimited(2)) value = readAnyValue(reader, reader.uint32(), depth);
    else reader.skipType(tag & 7);
  }
  return { key, value };
}

/** string_value 1, bool_value 2, int_value 3, double_value 4, array_value 5, kvlist_value 6, bytes_value 7. */
function readAnyValue(reader: Reader, length: number, depth: number): JsonRecord {
  const end = endOf(reader, length);
  let value: JsonRecord = {};
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === lengthDelimited(1)) value = { stringValue: reader.string() };
    else if (tag === 2 << 3) value = { boolValue: reader.bool() };
    else if (tag === 3 << 3) value = { intValue: String(reader.int64()) };
    else if (tag === fixed64(4)) value = { doubleValue: reader.double() };
    else if (tag === lengthDelimited(5) && depth < MOST_DEPTH) {
      value = { arrayValue: { values: readList(reader, reader.uint32(), depth, readAnyValue) } };
    } else if (tag === lengthDelimited(6) && depth < MOST_DEPTH) {
      value = { kvlistValue: { values: readList(reader, reader.uint32(), depth, readKeyValue) } };
    } else if (tag === lengthDelimited(7)) {
      value = { bytesValue: Buffer.from(reader.bytes()).toString('base64') };
    } else reader.skipType(tag & 7);
  }
  return value;
}

/** ArrayValue and KeyValueList: repeated values in field 1. */
function readList(
  reader: Reader,
  length: number,
  depth: number,
  read: (reader: Reader, length: number, depth: number) => JsonRecord,
): JsonRecord[] {
  const end = endOf(reader, length);
  const values: JsonRecord[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === lengthDelimited(1)) values.push(read(reader, reader.uint32(), depth + 1));
    else reader.skipType(tag & 7);
  }
  return values;
}

/** @throws RangeError if the message is longer than the remaining bytes */
function endOf(reader: Reader, length: number): number {
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('longer than the record');
  return end;
}

/** Nanoseconds of this century exceed the precision of a number; milliseconds remain exact. */
function readFixed64(reader: Reader): number {
  const low = reader.fixed32();
  return reader.fixed32() * 2 ** 32 + low;
}

function lengthDelimited(field: number): number {
  return (field << 3) | 2;
}

function fixed64(field: number): number {
  return (field << 3) | 1;
}
