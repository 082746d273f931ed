import { isRecord } from '../sources/util/read-record.js';
import type { JsonRecord } from '../sources/util/source.js';
import { parseJson } from '../text/parse-json.js';
import { listStartOf } from './list-start.js';
import { createRemainderBuffer } from './remainder-buffer.js';
import { createJsonSplitter } from './split-json.js';
import type { JsonHandler } from './split-json-lines.js';
import { createNamedListSplitter } from './split-named-list.js';
import type { Splitter } from './splitter.js';

/**
 * Reads the first objects of a JSON body as a whole, so that the order of their keys does not matter. A list of
 * records is taken out of an object only if the object is not itself a request. An object longer than the limit of a
 * record is a wrapper of a list, and is split while it streams.
 */

const LIST_NAMES = ['events', 'logs', 'records', 'data'] as const;
const LIST_NAME = /"(events|logs|records|data)"\s{0,8}:\s{0,8}$/;
/** Upper bound for a list's name with the white space around its colon. */
const LONGEST_NAME = 32;
const [LINE_FEED, SPACE] = [10, 32];
const [QUOTE, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 91, 92, 93, 123, 125];

export function createJsonBody(maxBytes: number, handler: JsonHandler, firstLine: number): Splitter {
  const held = createRemainderBuffer(maxBytes);
  let findEnd = createEndFinder();
  let splitter: Splitter | null = null;
  let line = firstLine;
  let number = 0;
  /** Whether each wrapper so far was alone on its line: then the line's end is its end. */
  let isByLine = true;

  /** @returns whether the object is a wrapper; its records go to the handler */
  function unwrap(value: unknown): boolean {
    const list = isRecord(value) ? onlyList(value) : null;
    if (list === null || handler.isRequest?.(value as JsonRecord) === true) return false;
    for (const record of list) handler.onRecord(record, ++number);
    return true;
  }

  /**
   * Splits a body whose first object is no such wrapper. @param value undefined if the object is broken, or longer
   * than the limit
   */
  function begin(first: Buffer, value: unknown, isWhole: boolean): void {
    const list = isWhole ? null : findList(first.subarray(0, maxBytes));
    const opensLists = !isRecord(value) || Array.isArray(value.resourceLogs);
    const isLate = list !== null && listStartOf(first.toString('utf8', 0, list.at)) === null;
    splitter = isLate
      ? createNamedListSplitter({ name: list.name, maxRecordBytes: maxBytes, beginsWithList: false }, handler)
      : createJsonSplitter(maxBytes, handler, line, opensLists);
    splitter.onChunk(first);
  }

  return {
    onChunk(chunk) {
      if (splitter !== null) return splitter.onChunk(chunk);
      let rest = chunk;
      let hasLineEnd = true;
      while (rest.length > 0) {
        const wrapper: ObjectLine | null | undefined =
          isByLine && hasLineEnd && held.empty ? readLine(rest, maxBytes) : undefined;
        isByLine &&= wrapper !== null;
        if (held.empty) hasLineEnd = wrapper !== undefined;
        if (wrapper && unwrap(wrapper.value)) {
          line += countLineEnds(rest, wrapper.end);
          rest = rest.subarray(wrapper.end);
          continue;
        }
        const found = findEnd(rest);
        if (found === -1 && held.length + rest.length <= maxBytes) return held.add(rest, 0, rest.length);
        const before = held.length;
        const first = before === 0 ? rest : Buffer.concat([held.takeBytes(), rest]);
        const end = before + found;
        const isWhole = found !== -1 && end <= maxBytes;
        const value = isWhole ? parseJson(first.toString('utf8', 0, end)) : undefined;
        if (!unwrap(value)) return begin(first, value, isWhole);
        line += countLineEnds(first, end);
        rest = first.subarray(end);
        findEnd = createEndFinder();
      }
    },
    onEnd(cut) {
      if (splitter === null && !held.empty) begin(Buffer.from(held.takeBytes()), undefined, false);
      splitter?.onEnd(cut);
    },
  };
}

interface ObjectLine {
  readonly value: JsonRecord;
  /** Index of the line's end. */
  readonly end: number;
}

/**
 * The object on the first line that is not blank; null for other text; undefined if the line does not end in the
 * bytes.
 */
function readLine(bytes: Buffer, maxBytes: number): ObjectLine | null | undefined {
  let start = 0;
  while (isSpace(bytes[start])) start++;
  const end = bytes.indexOf(LINE_FEED, start);
  if (end === -1) return undefined;
  const value = end > maxBytes ? undefined : parseJson(bytes.toString('utf8', start, end));
  return isRecord(value) ? { value, end } : null;
}

const isSpace = (byte: number | undefined) =>
  byte === SPACE || (byte !== undefined && byte >= 9 && byte <= 13);

function countLineEnds(bytes: Buffer, to: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && at < to; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

/** The only list, if it has objects only. Other records are opened later (envelopes/named-list.ts). */
function onlyList(record: JsonRecord): readonly JsonRecord[] | null {
  const lists = LIST_NAMES.map((name) => record[name]).filter(Array.isArray);
  return lists.length === 1 && lists[0]!.every(isRecord) ? lists[0]! : null;
}

/** The first list of records among the object's fields: its name and the index of its bracket. */
function findList(bytes: Buffer): { readonly name: string; readonly at: number } | null {
  const walk = createWalk();
  for (let at = 0; at < bytes.length; at++) {
    if (walk.step(bytes[at]!) !== 2 || bytes[at] !== OPEN_LIST) continue;
    const name = LIST_NAME.exec(bytes.toString('latin1', Math.max(0, at - LONGEST_NAME), at));
    if (name !== null) return { name: name[1]!, at };
  }
  return null;
}

/** Finds the index after the first object, chunk by chunk; -1 while it has not ended. */
function createEndFinder(): (chunk: Buffer) => number {
  let isInString = false;
  let isEscaped = false;
  let open = 0;
  return (chunk) => {
    // Local variables, because every byte of a list passes here.
    let [inString, escaped, depth] = [isInString, isEscaped, open];
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && depth > 0 && --depth === 0) return at + 1;
    }
    [isInString, isEscaped, open] = [inString, escaped, depth];
    return -1;
  };
}

/** `step` returns the number of open brackets after the byte. */
function createWalk(): { step(byte: number): number } {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    step(byte) {
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      return depth;
    },
  };
}
