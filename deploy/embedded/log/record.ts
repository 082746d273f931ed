import type { LogRecord, NewRecord } from '../../../shared/event-log/event-log.js';

/**
 * Format of a stored record: format version (1 byte), append time (8 bytes, double, big-endian), length of the key
 * (2 bytes), key (UTF-8), value. Topic, partition and offset are LMDB's key.
 */

const FORMAT = 1;
const TIME_AT = 1;
const KEY_LENGTH_AT = 9;
const KEY_AT = 11;

/** @throws RangeError if the key is longer than 65,535 bytes. */
export function checkRecord(record: NewRecord): void {
  if (Buffer.byteLength(record.key) > 0xffff) throw new RangeError('the key of a record is too long');
}

export function encodeRecord(record: NewRecord, appendedAt: number): Buffer {
  const keyLength = Buffer.byteLength(record.key);
  const stored = Buffer.allocUnsafe(KEY_AT + keyLength + record.value.length);
  stored.writeUInt8(FORMAT, 0);
  stored.writeDoubleBE(appendedAt, TIME_AT);
  stored.writeUInt16BE(keyLength, KEY_LENGTH_AT);
  stored.write(record.key, KEY_AT, 'utf8');
  record.value.copy(stored, KEY_AT + keyLength);
  return stored;
}

/** The record's value is a view of `stored`. */
export function decodeRecord(stored: Buffer, partition: number, offset: number): LogRecord {
  if (stored[0] !== FORMAT) throw new Error(`a record of unknown format ${stored[0]}`);
  const valueAt = KEY_AT + stored.readUInt16BE(KEY_LENGTH_AT);
  return {
    partition,
    offset,
    appendedAt: stored.readDoubleBE(TIME_AT),
    key: stored.toString('utf8', KEY_AT, valueAt),
    value: stored.subarray(valueAt),
  };
}
