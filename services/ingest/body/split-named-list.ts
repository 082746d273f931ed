import { parseJson } from '../text/parse-json.js';
import { createPlainRecordReader } from './plain-record-reader.js';
import { createRemainderBuffer, type RemainderBuffer } from './remainder-buffer.js';
import type { Splitter } from './splitter.js';
import { type RecordHandler, unwrapRecord } from './unwrap-records.js';

/**
 * Takes the items of every list of a name out of one JSON document while it streams, at any depth: the `records` of
 * Firehose, the `logRecords` of OTLP. The whole document is never in memory.
 */

const [QUOTE, COMMA, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  34, 44, 58, 91, 92, 93, 123, 125,
];

/** Longest name that is compared. */
const LONGEST_NAME = 32;

export interface NamedListOptions {
  readonly name: string;
  readonly maxRecordBytes: number;
  /** Whether the bracket of such a list is the first byte. */
  readonly beginsWithList: boolean;
}

export function createNamedListSplitter(options: NamedListOptions, handler: RecordHandler): Splitter {
  const { name, maxRecordBytes } = options;
  const carried = createRemainderBuffer(maxRecordBytes);
  const plain = createPlainRecordReader(maxRecordBytes);
  /** - outside: not in such a list; - list: between its items; - item: in one of its items. */
  let mode: 'outside' | 'list' | 'item' = 'outside';
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The last string outside, while it may be a name; and whether a colon followed it. */
  let text = '';
  let isName = options.beginsWithList;
  if (isName) text = name;
  let number = 0;

  const passOver = createJunkCounter(() => handler.onInvalid(++number, 'not a JSON object'));

  function finish(chunk: Buffer, from: number, to: number): void {
    carried.add(chunk, from, to);
    mode = 'list';
    take(carried, number, maxRecordBytes, handler);
  }

  /** Index after the string's end, or the chunk's length. */
  function skipString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (mode === 'outside' && byte !== QUOTE && text.length <= LONGEST_NAME)
        text += String.fromCharCode(byte);
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        inString = false;
        return at + 1;
      }
    }
    return chunk.length;
  }

  function outside(byte: number): void {
    if (byte === COLON) isName = true;
    else if (byte === OPEN_LIST && isName && text === name) mode = 'list';
    else if (byte > 32) isName = false;
  }

  return {
    onChunk(chunk) {
      plain.begin(chunk);
      let start = 0;
      for (let at = 0; at < chunk.length; ) {
        if (inString) {
          at = skipString(chunk, at);
          continue;
        }
        const byte = chunk[at]!;
        if (byte === OPEN_OBJECT && mode === 'list') {
          const value = plain.read(at);
          if (value !== undefined) {
            unwrapRecord(value, ++number, handler);
            at = plain.end + 1;
            continue;
          }
        }
        at++;
        if (mode === 'list' && byte !== OPEN_OBJECT && byte !== OPEN_LIST) passOver(byte);
        if (byte === QUOTE) {
          inString = true;
          if (mode === 'outside') {
            text = '';
            isName = false;
          }
        } else if (mode === 'outside') outside(byte);
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          if (mode === 'item') depth++;
          else {
            mode = 'item';
            depth = 1;
            number++;
            start = at - 1;
          }
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          if (mode === 'list') mode = 'outside';
          else if (--depth === 0) finish(chunk, start, at);
        }
      }
      if (mode === 'item') carried.add(chunk, start, chunk.length);
      plain.clear();
    },
    onEnd(cut) {
      if (mode !== 'outside')
        handler.onInvalid(number, cut ?? 'not valid JSON: the body ends inside a list of records');
    },
  };
}

/** Passes the buffered record to the handler. */
function take(carried: RemainderBuffer, number: number, maxBytes: number, handler: RecordHandler): void {
  if (carried.overflowed) {
    carried.clear();
    handler.onInvalid(number, `longer than ${maxBytes} bytes`);
    return;
  }
  const value = parseJson(carried.take());
  if (value === undefined) handler.onInvalid(number, 'not valid JSON');
  else unwrapRecord(value, number, handler);
}

/** Takes the bytes of a list outside its objects; calls `onJunk` once for each item that is not an object. */
function createJunkCounter(onJunk: () => void): (byte: number) => void {
  let isJunk = false;
  return (byte) => {
    if (byte === COMMA || byte === CLOSE_LIST) isJunk = false;
    else if (byte > 32 && !isJunk) {
      isJunk = true;
      onJunk();
    }
  };
}
