import { PublicError } from '../../../shared/errors.js';
import { decodeLogRecord } from './decode-log-record.js';
import { createRemainderBuffer } from './remainder-buffer.js';
import type { Splitter } from './splitter.js';
import type { RecordHandler } from './unwrap-records.js';

/**
 * Takes the log records out of an OTLP upload in protobuf (ExportLogsServiceRequest) while it streams. Only one
 * record is in memory at a time. The handler gets it in the form that OTLP has in JSON.
 *
 * ExportLogsServiceRequest.resource_logs = 1, ResourceLogs.scope_logs = 2, ScopeLogs.log_records = 2.
 */

/** By depth: the field that leads to log records. */
const leads = [1, 2, 2];

/** @throws PublicError (400), from `onChunk` and `onEnd`, if the bytes are not such a message. */
export function createOtlpSplitter(maxRecordBytes: number, handler: RecordHandler): Splitter {
  const carried = createRemainderBuffer(maxRecordBytes);
  /** Ends of the open messages, in bytes from the beginning. The outermost message ends with the body. */
  const ends: number[] = [];
  let offset = 0;
  let phase: 'tag' | 'length' | 'number' | 'skip' | 'record' = 'tag';
  let field = 0;
  const varint = createVarint();
  /** Remaining bytes of the skipped field or gathered record. */
  let left = 0;
  let records = 0;

  function beginField(): void {
    field = Math.floor(varint.value / 8);
    const type = varint.value % 8;
    if (field === 0) throw notOtlp();
    if (type === 2) phase = 'length';
    else if (type === 0) phase = 'number';
    else if (type === 1) skip(8);
    else if (type === 5) skip(4);
    else throw notOtlp();
  }

  function refuseBeyond(bytes: number): void {
    if (offset + bytes > (ends.at(-1) ?? Number.POSITIVE_INFINITY)) throw notOtlp();
  }

  function skip(bytes: number): void {
    refuseBeyond(bytes);
    left = bytes;
    phase = bytes === 0 ? 'tag' : 'skip';
  }

  function beginMessage(length: number): void {
    if (field !== leads[ends.length]) skip(length);
    else if (ends.length < leads.length - 1) {
      refuseBeyond(length);
      ends.push(offset + length);
      phase = 'tag';
    } else {
      refuseBeyond(length);
      records++;
      left = length;
      phase = 'record';
      if (length === 0) finishRecord();
    }
  }

  function finishRecord(): void {
    phase = 'tag';
    if (carried.overflowed) {
      carried.clear();
      handler.onInvalid(records, `longer than ${maxRecordBytes} bytes`);
      return;
    }
    const record = decodeLogRecord(carried.takeBytes());
    if (record === null) handler.onInvalid(records, 'not a log record of OTLP');
    else handler.onRecord(record, records);
  }

  function closeEnded(): void {
    while (phase === 'tag' && ends.length > 0 && offset === ends.at(-1)) ends.pop();
  }

  function readByte(byte: number): void {
    offset++;
    if (!varint.add(byte)) return;
    // A number field is only skipped; it may exceed a number of JavaScript.
    if (phase === 'number') phase = 'tag';
    else if (varint.value > Number.MAX_SAFE_INTEGER) throw notOtlp();
    else if (phase === 'tag') beginField();
    else beginMessage(varint.value);
    varint.clear();
  }

  return {
    onChunk(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (phase === 'skip' || phase === 'record') {
          const taken = Math.min(left, chunk.length - at);
          if (phase === 'record') carried.add(chunk, at, at + taken);
          at += taken;
          offset += taken;
          left -= taken;
          if (left === 0 && phase === 'record') finishRecord();
          else if (left === 0) phase = 'tag';
        } else readByte(chunk[at++]!);
        closeEnded();
      }
    },
    onEnd() {
      if (phase !== 'tag' || !varint.empty || ends.length > 0) throw notOtlp();
    },
  };
}

/** A varint of seven bits per byte, assembled as its bytes arrive. */
function createVarint() {
  let value = 0;
  let scale = 1;
  return {
    get value() {
      return value;
    },
    get empty() {
      return scale === 1;
    },
    /** @returns whether the number is complete */
    add(byte: number): boolean {
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (scale > 128 ** 10) throw notOtlp();
      return byte < 0x80;
    },
    clear() {
      value = 0;
      scale = 1;
    },
  };
}

function notOtlp(): PublicError {
  return new PublicError(
    'invalid_request',
    'The body is not OTLP logs in protobuf (ExportLogsServiceRequest), or it is cut off.',
  );
}
