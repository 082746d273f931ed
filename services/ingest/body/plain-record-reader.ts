import { isAscii } from 'node:buffer';
import { decodeBytes } from '../text/decode-bytes.js';
import { parseJson } from '../text/parse-json.js';

/**
 * Reads records of a list without counting brackets byte by byte. It guesses the end of a record: a closing brace
 * before the next record or the list's end. The guess is right if the text up to it is JSON. Only records on one line
 * are read this way, because counting brackets would give them the same end.
 */
export interface PlainRecordReader {
  /** Index of the closing brace of the last record. */
  readonly end: number;
  begin(chunk: Buffer): void;
  /**
   * Reads the record whose opening brace is at an index of the chunk. Returns undefined if the record is not plain or
   * does not end in the chunk: then its brackets must be counted.
   */
  read(at: number): unknown;
  /** Releases the chunk. */
  clear(): void;
}

const [SPACE, COMMA, CLOSE_LIST, OPEN_OBJECT] = [32, 44, 93, 123];
const noBytes = Buffer.alloc(0);

/** Bytes in wrong guesses minus bytes in right ones, after which guessing stops: reading twice costs time. */
const MOST_WRONG_BYTES = 65_536;

/** @param maxBytes limit of a record */
export function createPlainRecordReader(maxBytes: number): PlainRecordReader {
  let bytes: Buffer = noBytes;
  /** The chunk as latin1 text; '' until it is needed. */
  let text = '';
  let isPlainText = false;
  /** Index of the first line end at or after the last record. */
  let lineEnd = -1;
  /** No record ends after this index. */
  let lastStart = 0;
  let wrongBytes = 0;
  let end = -1;

  function prepare(): void {
    text = bytes.toString('latin1');
    isPlainText = isAscii(bytes);
  }

  function isOnOneLine(from: number, to: number): boolean {
    if (lineEnd < from) {
      lineEnd = text.indexOf('\n', from);
      if (lineEnd === -1) lineEnd = text.length;
    }
    return to < lineEnd;
  }

  return {
    get end() {
      return end;
    },
    begin(chunk) {
      bytes = chunk;
      text = '';
      lineEnd = -1;
      lastStart = chunk.length;
    },
    read(at) {
      if (at >= lastStart || wrongBytes > MOST_WRONG_BYTES) return undefined;
      if (text === '') prepare();
      end = findEnd(text, at);
      if (end === -1) {
        lastStart = at;
        return undefined;
      }
      const behind = end + 1;
      if (behind - at > maxBytes || !isOnOneLine(at, end)) return undefined;
      const value = parseJson(isPlainText ? text.slice(at, behind) : decodeBytes(bytes, at, behind));
      wrongBytes += value === undefined ? behind - at : at - behind;
      if (wrongBytes < 0) wrongBytes = 0;
      return value;
    },
    clear() {
      bytes = noBytes;
      text = '';
    },
  };
}

/**
 * Index of the first closing brace before the list's end, or before a comma and the next record's brace; -1 for none.
 */
function findEnd(text: string, from: number): number {
  for (let close = text.indexOf('}', from); close !== -1; close = text.indexOf('}', close + 1)) {
    let at = behindSpace(text, close + 1);
    if (text.charCodeAt(at) === CLOSE_LIST) return close;
    if (text.charCodeAt(at) !== COMMA) continue;
    at = behindSpace(text, at + 1);
    if (text.charCodeAt(at) === OPEN_OBJECT) return close;
  }
  return -1;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === SPACE || (code >= 9 && code <= 13); )
    code = text.charCodeAt(++at);
  return at;
}
