import { decodeHalves } from '../body/decode-bytes.js';
import type { Rejection } from '../sources/source.js';
import type { Content, Part, PartJoiner } from './envelope.js';

/**
 * Container runtimes cut a long line into parts, mostly of 16 KiB. The parts are joined before anything reads them: the rest of a cut line is a
 * client's text, which could look like a line of its own.
 */

/** Lines that wait for their parts at once: each is of another stream. */
const MOST_LINES = 1_000;
/** What may wait together, in longest lines. */
const MOST_WAITING = 8;

const tooMany: Rejection = { reject: `parts of more than ${MOST_LINES} lines at once` };
const noBeginning: Rejection = { reject: 'a part of a line whose beginning is not in this upload' };
const noEnd: Rejection = { reject: 'a part of a line whose end is not in this upload' };

interface Line {
  /** Null: the line is too long or lacks a part, which was reported. */
  texts: string[] | null;
  parts: number;
  length: number;
  isMarked: boolean;
}

export function createPartJoiner(maxLineBytes: number): PartJoiner {
  const lines = new Map<string, Line>();
  const tooLong: Rejection = { reject: `longer than ${maxLineBytes} bytes (parts of a line)` };
  let waiting = 0;

  function drop(line: Line): void {
    waiting -= line.length;
    line.texts = null;
    line.length = 0;
  }

  function close(key: string, line: Line): readonly Content[] {
    const { texts, isMarked } = line;
    lines.delete(key);
    drop(line);
    if (texts === null) return [];
    return isMarked ? [noEnd] : texts.map((line) => ({ line }));
  }

  function begin(part: Part): readonly Content[] {
    if (part.ordinal > 1) return [noBeginning];
    if (part.isLast) return [{ line: part.text }];
    if (lines.size === MOST_LINES) return [tooMany];
    lines.set(part.key, { texts: [], parts: 0, length: 0, isMarked: part.isMarked });
    return join(part);
  }

  function join(part: Part): readonly Content[] {
    const line = lines.get(part.key);
    if (line === undefined) return begin(part);
    if (!continues(part, line)) return [...close(part.key, line), ...begin(part)];
    line.parts++;
    line.isMarked ||= part.isMarked;
    if (part.isLast) return finish(part, line);
    if (line.texts === null) return [];
    // Empty parts have no length, so any number of them would be kept.
    if (part.text !== '') line.texts.push(part.text);
    line.length += part.text.length;
    waiting += part.text.length;
    if (line.length <= maxLineBytes && waiting <= MOST_WAITING * maxLineBytes) return [];
    drop(line);
    return [tooLong];
  }

  function finish(part: Part, { texts, length }: Line): readonly Content[] {
    lines.delete(part.key);
    waiting -= length;
    if (texts === null) return [];
    if (length + part.text.length > maxLineBytes) return [tooLong];
    return [{ line: decodeHalves([...texts, part.text].join('')) }];
  }

  return {
    join,
    number: 0,
    end: () => [...lines].flatMap(([key, line]) => close(key, line)),
    get isWaiting() {
      return lines.size > 0;
    },
  };
}

/** Where nothing is marked, the line end of the last part shows that the texts before it were parts. */
function continues(part: Part, line: Line): boolean {
  if (part.ordinal !== 0 && part.ordinal !== line.parts + 1) return false;
  return line.isMarked || part.isMarked || !part.isLast || part.text.endsWith('\n');
}
