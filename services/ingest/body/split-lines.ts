import type { PlainLineReader } from '../sources/util/source.js';
import { decodeBytes } from '../text/decode-bytes.js';
import { createRemainderBuffer } from './remainder-buffer.js';
import type { Splitter } from './splitter.js';

/**
 * Cuts chunks of bytes into lines. A line feed is never part of another UTF-8 character. So lines are cut in bytes
 * and decoded afterwards, and no character is cut at the end of a chunk. One call decodes all complete lines of a
 * chunk, which costs a tenth of a call per line.
 */

export interface LineHandler {
  /** A line without its line end; `number` counts from 1. */
  onLine(line: string, number: number): void;
  onInvalid(number: number, reason: string): void;
  /** Reads plain lines before they are decoded; null if there is no such reader yet. */
  readonly plainLines?: PlainLineReader | null;
}

const LINE_FEED = 10;
/** Consecutive lines that are not plain, after which one call decodes the rest of a chunk. */
const MOST_MISSES = 8;

/** @param firstNumber number of the first line */
export function createLineSplitter(maxLineBytes: number, handler: LineHandler, firstNumber = 1): Splitter {
  const carried = createRemainderBuffer(maxLineBytes);
  let number = firstNumber;
  const onTooLong = () => handler.onInvalid(number, `longer than ${maxLineBytes} bytes`);

  function hand(line: string): void {
    const end = line.charCodeAt(line.length - 1) === 13 ? line.length - 1 : line.length;
    if (isLonger(line, maxLineBytes)) onTooLong();
    // strip-controls.ts leaves this mark.
    else if (line.includes('\0')) handler.onInvalid(number, 'NUL bytes cut the line');
    else if (!isBlank(line, end)) handler.onLine(end === line.length ? line : line.slice(0, end), number);
    number++;
  }

  function finishCarried(): void {
    if (carried.overflowed) {
      onTooLong();
      number++;
      carried.clear();
    } else hand(carried.take());
  }

  /** @param to index after a line feed. @returns index of the first line that was not read */
  function handPlain(chunk: Buffer, from: number, to: number): number {
    let at = from;
    let begun: PlainLineReader | null = null;
    for (let misses = 0; at < to && misses < MOST_MISSES; ) {
      const plain = handler.plainLines ?? null;
      if (plain !== begun) plain?.begin(chunk);
      begun = plain;
      if (plain !== null) at = plain.read(at, to, maxLineBytes);
      const lines = plain?.lines ?? 0;
      number += lines;
      misses = lines === 0 ? misses + 1 : 0;
      if (at === to) break;
      const end = chunk.indexOf(LINE_FEED, at);
      hand(decodeBytes(chunk, at, end));
      at = end + 1;
    }
    return at;
  }

  return {
    onChunk(chunk) {
      let start = 0;
      if (!carried.empty) {
        const end = chunk.indexOf(LINE_FEED);
        carried.add(chunk, 0, end === -1 ? chunk.length : end);
        if (end === -1) return;
        finishCarried();
        start = end + 1;
      }
      const last = chunk.lastIndexOf(LINE_FEED);
      if (handler.plainLines !== undefined) start = handPlain(chunk, start, last + 1);
      if (last >= start) {
        const text = decodeBytes(chunk, start, last);
        let from = 0;
        for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
          hand(text.slice(from, to));
          from = to + 1;
        }
        hand(text.slice(from));
        start = last + 1;
      }
      carried.add(chunk, start, chunk.length);
    },
    onEnd(cut) {
      if (carried.empty) return;
      if (cut === undefined) finishCarried();
      else handler.onInvalid(number, cut);
    },
  };
}

/** Whether only spaces and tabs precede `end`. */
function isBlank(line: string, end: number): boolean {
  let at = 0;
  for (let code = line.charCodeAt(at); at < end && (code === 32 || code === 9); )
    code = line.charCodeAt(++at);
  return at >= end;
}

/** Whether the text exceeds the limit in UTF-8; counts the bytes only if that is in doubt. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;
}
