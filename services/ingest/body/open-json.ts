import { isRecord } from '../sources/read-record.js';
import type { JsonRecord } from '../sources/source.js';
import { listStartOf } from './list-start.js';
import { parseJson } from './parse-json.js';
import { createRemainderBuffer } from './remainder-buffer.js';
import { createJsonSplitter } from './split-json.js';
import type { JsonHandler } from './split-json-lines.js';
import type { LineSplitter } from './split-lines.js';
import { createNamedListSplitter } from './split-named-list.js';

/**
 * Looks at the first object of a JSON body as a whole, so that the order of its keys changes nothing: a list of records is taken out of it only
 * where the object is no request itself. An object that is longer than a record may be is a list's wrapper, and is split while it streams.
 */

const LIST_NAMES = ['events', 'logs', 'records', 'data'] as const;
const LIST_NAME = /"(events|logs|records|data)"\s{0,8}:\s{0,8}$/;
/** Longer than a list's name with the white space around its colon. */
const LONGEST_NAME = 32;
const [QUOTE, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 91, 92, 93, 123, 125];

export function createJsonBody(maxBytes: number, handler: JsonHandler, firstLine: number): LineSplitter {
  const held = createRemainderBuffer(maxBytes);
  const findEnd = createEndFinder();
  let splitter: LineSplitter | null = null;

  /** @param end index behind the first object; -1 where it is longer than a record may be */
  function begin(first: Buffer, end: number): LineSplitter {
    const list = findList(first, end === -1 ? Math.min(first.length, maxBytes) : end);
    if (list === null) return createJsonSplitter(maxBytes, handler, firstLine);
    if (end === -1 && listStartOf(first.toString('utf8', 0, list.at)) === null)
      return createNamedListSplitter(
        { name: list.name, maxRecordBytes: maxBytes, beginsWithList: false },
        handler,
      );
    const value = end === -1 ? undefined : parseJson(first.toString('utf8', 0, end));
    const opensLists = !isRecord(value) || (holdsOneList(value) && handler.isRequest?.(value) !== true);
    return createJsonSplitter(maxBytes, handler, firstLine, opensLists);
  }

  return {
    push(chunk) {
      if (splitter !== null) return splitter.push(chunk);
      const end = chunk[0] === OPEN_LIST && held.empty ? 0 : findEnd(chunk);
      const before = held.length;
      if (end === -1 && before + chunk.length <= maxBytes) return held.add(chunk, 0, chunk.length);
      const first = before === 0 ? chunk : Buffer.concat([held.takeBytes(), chunk]);
      splitter = begin(first, end === -1 || before + end > maxBytes ? -1 : before + end);
      splitter.push(first);
    },
    end(cut) {
      if (splitter === null && !held.empty) {
        const first = Buffer.from(held.takeBytes());
        splitter = createJsonSplitter(maxBytes, handler, firstLine);
        splitter.push(first);
      }
      splitter?.end(cut);
    },
  };
}

/** Whether there is one list, of objects alone: of others the whole record is looked at (envelopes/named-list.ts). */
function holdsOneList(record: JsonRecord): boolean {
  const lists = LIST_NAMES.map((name) => record[name]).filter(Array.isArray);
  return lists.length === 1 && lists[0]!.every(isRecord);
}

/** The first list of records among the object's own fields: its name, and the index of its bracket. */
function findList(bytes: Buffer, to: number): { readonly name: string; readonly at: number } | null {
  const walk = createWalk();
  for (let at = 0; at < to; at++) {
    if (walk.step(bytes[at]!) !== 2 || bytes[at] !== OPEN_LIST) continue;
    const name = LIST_NAME.exec(bytes.toString('latin1', Math.max(0, at - LONGEST_NAME), at));
    if (name !== null) return { name: name[1]!, at };
  }
  return null;
}

/** Finds the index behind the first object, chunk by chunk; -1 while it has not ended. */
function createEndFinder(): (chunk: Buffer) => number {
  const walk = createWalk();
  return (chunk) => {
    for (let at = 0; at < chunk.length; at++) if (walk.step(chunk[at]!) <= 0) return at + 1;
    return -1;
  };
}

/** `step` returns how many brackets are open behind the byte. */
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
