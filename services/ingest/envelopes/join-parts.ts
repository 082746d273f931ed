import type { Rejection } from '../sources/util/source.js';
import { decodeHalves } from '../text/decode-bytes.js';
import type { Content, Part, PartJoiner } from './envelope.js';

/**
 * Container runtimes cut a long line into parts, mostly of 16 KiB. The parts are joined before anything reads them,
 * because the rest of a cut line is a client's text and could look like a line.
 */

/** Lines that wait for their parts at once, each of another stream. */
const MOST_LINES = 1_000;
/** Limit of all waiting text, and of the keys of skipped lines, in longest lines. */
const MOST_WAITING = 8;

const tooMany: Rejection = { reject: `parts of more than ${MOST_LINES} lines at once` };
const noBeginning: Rejection = { reject: 'a part of a line whose beginning is not in this upload' };
const noMiddle: Rejection = { reject: 'a line of which a part is not in this upload' };
const noEnd: Rejection = { reject: 'a part of a line whose end is not in this upload' };

interface Line {
  /** Null if the line was rejected; its other parts are skipped. */
  texts: string[] | null;
  parts: number;
  length: number;
  isMarked: boolean;
}

export function createPartJoiner(maxLineBytes: number): PartJoiner {
  const lines = new Map<string, Line>();
  const tooLong: Rejection = { reject: `longer than ${maxLineBytes} bytes (parts of a line)` };
  const mostWaiting = MOST_WAITING * maxLineBytes;
  let kept = 0;
  let waiting = 0;
  /** Length of the keys of skipped lines. */
  let passed = 0;
  /** Whether a rejected line was evicted: any part without a beginning may be its rest. */
  let forgets = false;

  function forget(key: string, line: Line): void {
    lines.delete(key);
    if (line.texts === null) passed -= key.length;
    else kept--;
    waiting -= line.length;
  }

  function passOver(key: string, parts: number, isMarked: boolean): void {
    if (passed + key.length > mostWaiting) forgets = true;
    else {
      passed += key.length;
      lines.set(key, { texts: null, parts, length: 0, isMarked });
    }
  }

  /** Rejects an incomplete line. */
  function drop(key: string, line: Line, reason: Rejection): readonly Content[] {
    forget(key, line);
    passOver(key, line.parts, line.isMarked);
    return [reason];
  }

  function close(key: string, line: Line): readonly Content[] {
    forget(key, line);
    if (line.texts === null) return [];
    return line.isMarked ? [noEnd] : line.texts.map((text) => ({ line: text }));
  }

  function begin(part: Part): readonly Content[] {
    const { key, ordinal, isLast, isMarked } = part;
    if (isLast && ordinal <= 1 && !forgets) return [{ line: part.text }];
    if (isLast || ordinal > 1 || kept === MOST_LINES) {
      if (!isLast) passOver(key, Math.max(1, ordinal), isMarked);
      return [isLast || ordinal > 1 ? noBeginning : tooMany];
    }
    kept++;
    lines.set(key, { texts: [], parts: 0, length: 0, isMarked });
    return join(part);
  }

  function join(part: Part): readonly Content[] {
    const { key, text } = part;
    const line = lines.get(key);
    if (line === undefined) return begin(part);
    if (!continues(part, line)) return [...close(key, line), ...begin(part)];
    const lacksPart = part.ordinal > line.parts + 1;
    line.parts = Math.max(line.parts + 1, part.ordinal);
    line.isMarked ||= part.isMarked;
    if (part.isLast) return finish(part, line, lacksPart);
    if (line.texts === null) return [];
    if (lacksPart) return drop(key, line, noMiddle);
    // Empty parts have no length, so their number would be unbounded.
    if (text !== '') line.texts.push(text);
    line.length += text.length;
    waiting += text.length;
    return line.length <= maxLineBytes && waiting <= mostWaiting ? [] : drop(key, line, tooLong);
  }

  function finish({ key, text }: Part, line: Line, lacksPart: boolean): readonly Content[] {
    forget(key, line);
    if (line.texts === null) return [];
    if (lacksPart) return [noMiddle];
    if (line.length + text.length > maxLineBytes) return [tooLong];
    return [{ line: decodeHalves([...line.texts, text].join('')) }];
  }

  return {
    join,
    number: 0,
    end() {
      forgets = false;
      return [...lines].flatMap(([key, line]) => close(key, line));
    },
    get isWaiting() {
      return forgets || lines.size > 0;
    },
  };
}

/** Without marks, the line end of the last part shows that the texts before it were parts. */
function continues(part: Part, line: Line): boolean {
  if (part.ordinal !== 0 && part.ordinal <= line.parts) return false;
  return line.isMarked || part.isMarked || !part.isLast || part.text.endsWith('\n');
}
