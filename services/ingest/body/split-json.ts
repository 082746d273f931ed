import { parseJson } from '../text/parse-json.js';
import { lastSignificant, type Significant } from './last-significant.js';
import { LIST_START_BYTES, listStartOf } from './list-start.js';
import { createPlainRecordReader, type PlainRecordReader } from './plain-record-reader.js';
import { createRemainderBuffer, type RemainderBuffer } from './remainder-buffer.js';
import { createJsonLineHandler, type JsonHandler } from './split-json-lines.js';
import { createLineSplitter } from './split-lines.js';
import { createNamedListSplitter } from './split-named-list.js';
import type { Splitter } from './splitter.js';
import { unwrapRecords } from './unwrap-records.js';

/**
 * Cuts a JSON body into records while it streams. The body may have one object per line, consecutive objects, an
 * array, or one of these in a single named list (`{"events":[…]}`).
 *
 * The first value decides. If a line end follows it, the rest is split by line: that is fast, and a broken line costs
 * only itself. Otherwise brackets are counted byte by byte, except for plain records of a list
 * (plain-record-reader.ts). A line end in a string is never valid JSON, so it ends a broken record too.
 */

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA] = [9, 10, 13, 32, 34, 44];
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125];

/** Bytes with a meaning within a record, outside its strings. */
const structural = new Uint8Array(256);
for (const byte of [LINE_FEED, QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT])
  structural[byte!] = 1;

/**
 * - between: outside of records; - record: inside one; - tail: behind a wrapper's list, up to its end;
 * - junk: something at a record's place that is no object; - broken: behind a broken record, up to the next that
 * begins a line.
 */
type Mode = 'between' | 'record' | 'tail' | 'junk' | 'broken';

/** State of the splitter between chunks. */
interface Scan {
  readonly maxBytes: number;
  readonly handler: JsonHandler;
  readonly opensLists: boolean;
  /** Bytes of the unfinished record from earlier chunks. */
  readonly carried: RemainderBuffer;
  readonly plainRecords: PlainRecordReader;
  /** Set once the body turns out to have one record per line. */
  lines: Splitter | null;
  mode: Mode;
  /** Depth at which records begin: 0, in an array 1, in a wrapper's list 2. */
  base: number;
  depth: number;
  inString: boolean;
  /** The last chunk ended in a backslash. */
  escaped: boolean;
  /** Start of the record in this chunk. */
  start: number;
  line: number;
  /** Number of records that have begun. */
  records: number;
  /** The current record's number in errors, and the line in which it began. */
  number: number;
  recordLine: number;
  /** Whether the current record's first line has only its brace. */
  indented: boolean;
  /** Whether the rest may still turn out to have one record per line. */
  undecided: boolean;
  /** Last byte of earlier chunks that is not white space, and whether a line end followed it. */
  last: Significant;
}

/**
 * @param firstLine line number of the first byte in the body
 * @param opensLists whether a list in the first object is a list of records
 */
export function createJsonSplitter(
  maxBytes: number,
  handler: JsonHandler,
  firstLine = 1,
  opensLists = true,
): Splitter {
  const scan: Scan = {
    maxBytes,
    handler,
    opensLists,
    carried: createRemainderBuffer(maxBytes),
    plainRecords: createPlainRecordReader(maxBytes),
    lines: null,
    mode: 'between',
    base: 0,
    depth: 0,
    inString: false,
    escaped: false,
    start: 0,
    line: firstLine,
    records: 0,
    number: 0,
    recordLine: firstLine,
    indented: false,
    undecided: true,
    last: { byte: 0, endsLine: false },
  };
  return {
    onChunk(chunk) {
      if (scan.lines !== null) return scan.lines.onChunk(chunk);
      scan.plainRecords.begin(chunk);
      scanChunk(scan, chunk);
      scan.plainRecords.clear();
    },
    onEnd(cut) {
      if (scan.lines !== null) scan.lines.onEnd(cut);
      else if (scan.mode === 'junk') endJunk(scan);
      else if (scan.mode === 'record') {
        handler.onInvalid(scan.number, cut ?? 'not valid JSON: the body ends inside a record');
      }
    },
  };
}

function scanChunk(scan: Scan, chunk: Buffer): void {
  scan.start = 0;
  for (let at = 0; at < chunk.length; at++) {
    if (scan.inString) {
      at = skipString(scan, chunk, at);
      if (at === chunk.length) break;
      if (!scan.inString) continue;
      // Only a line end stops within a string.
      scan.inString = false;
      if (scan.mode === 'record') breakRecord(scan, scan.line + 1);
    }
    const byte = chunk[at]!;
    if (scan.mode === 'record' || scan.mode === 'tail') {
      if (structural[byte] === 0) continue;
      inside(scan, chunk, at, byte);
    } else {
      outside(scan, chunk, at, byte);
      if (byte === OPEN_OBJECT && scan.base > 0) at = takePlainRecord(scan, at);
    }
    if (scan.lines !== null) {
      // A line end was read; a brace is the first byte of its line.
      scan.lines.onChunk(chunk.subarray(byte === LINE_FEED ? at + 1 : at));
      return;
    }
  }
  if (scan.mode === 'record') scan.carried.add(chunk, scan.start, chunk.length);
  else if (scan.mode !== 'broken') return;
  scan.last = lastSignificant(chunk, chunk.length, scan.last);
}

/** Index of the closing quote or of a line end (then still in the string), else the chunk's length. */
function skipString(scan: Scan, chunk: Buffer, from: number): number {
  let at = from;
  // A line end is not skipped even after a backslash.
  if (scan.escaped) {
    scan.escaped = false;
    if (chunk[at] !== LINE_FEED) at++;
  }
  for (; at < chunk.length; at++) {
    const byte = chunk[at]!;
    if (byte === QUOTE) {
      scan.inString = false;
      return at;
    }
    if (byte === LINE_FEED) return at;
    if (byte === BACKSLASH && chunk[at + 1] !== LINE_FEED) at++;
  }
  if (at > chunk.length) scan.escaped = true;
  return chunk.length;
}

function outside(scan: Scan, chunk: Buffer, at: number, byte: number): void {
  if (byte === LINE_FEED) {
    scan.line++;
    if (scan.mode === 'junk') endJunk(scan);
    if (scan.undecided && scan.base === 0 && scan.records > 0) scan.lines = createLines(scan, scan.line);
    return;
  }
  if (scan.mode === 'broken') {
    if (byte !== OPEN_OBJECT || !lastSignificant(chunk, at, scan.last).endsLine) return;
    scan.mode = 'between';
  }
  if (byte === OPEN_OBJECT || (byte === OPEN_LIST && scan.base > 0)) {
    if (scan.mode === 'junk') endJunk(scan);
    beginRecord(scan, at);
  } else if (byte === OPEN_LIST && scan.mode === 'between') {
    scan.base = 1;
    scan.undecided = false;
  } else if (byte === CLOSE_LIST && scan.base > 0) {
    if (scan.mode === 'junk') endJunk(scan);
    // After a wrapper's list its object continues, at depth 1.
    scan.mode = scan.base === 2 ? 'tail' : 'between';
    scan.depth = scan.base === 2 ? 1 : 0;
    scan.base = 0;
  } else if (byte === COMMA) {
    if (scan.mode === 'junk') endJunk(scan);
  } else if (byte !== SPACE && byte !== TAB && byte !== RETURN) {
    scan.mode = 'junk';
    scan.inString = byte === QUOTE;
  }
}

function inside(scan: Scan, chunk: Buffer, at: number, byte: number): void {
  if (byte === QUOTE) scan.inString = true;
  else if (byte === LINE_FEED) endLineInside(scan, chunk, at);
  else if (byte === OPEN_OBJECT) {
    if (scan.mode !== 'record' || !beginsAnother(scan, chunk, at)) scan.depth++;
    else {
      breakRecord(scan, scan.line);
      if (scan.base > 0) beginRecord(scan, at);
    }
  } else if (byte === OPEN_LIST) {
    const list = listStartOf(textBeforeList(scan, chunk, at));
    if (list === 'wrapper') enterWrapper(scan);
    else if (list === 'late') scan.lines = createList(scan, 'records', true);
    else if (list === 'otlp') scan.lines = createList(scan, 'logRecords', false);
    else scan.depth++;
  } else if (--scan.depth === scan.base) {
    const ended = scan.mode;
    scan.mode = 'between';
    if (scan.line > scan.recordLine) scan.undecided = false;
    if (ended === 'record') finishRecord(scan, chunk, at + 1);
  }
}

function beginRecord(scan: Scan, at: number): void {
  if (scan.records > 0) scan.undecided = false;
  scan.records++;
  scan.number = scan.undecided ? scan.line : scan.records;
  scan.recordLine = scan.line;
  scan.mode = 'record';
  scan.start = at;
  scan.depth = scan.base + 1;
}

/**
 * @returns index of the closing brace of the record at this index; the index itself if there is none, or if its
 * brackets must be counted
 */
function takePlainRecord(scan: Scan, at: number): number {
  const value = scan.mode === 'record' ? scan.plainRecords.read(at) : undefined;
  if (value === undefined) return at;
  scan.mode = 'between';
  scan.depth = scan.base;
  unwrapRecords(value, scan.number, scan.handler);
  return scan.plainRecords.end;
}

function finishRecord(scan: Scan, chunk: Buffer, end: number): void {
  scan.carried.add(chunk, scan.start, end);
  if (scan.carried.overflowed) {
    scan.carried.clear();
    scan.handler.onInvalid(scan.number, `longer than ${scan.maxBytes} bytes`);
    return;
  }
  const value = parseJson(scan.carried.take());
  if (value === undefined) scan.handler.onInvalid(scan.number, 'not valid JSON');
  else unwrapRecords(value, scan.number, scan.handler);
}

/** @param next number of the line after the broken record */
function breakRecord(scan: Scan, next: number): void {
  scan.handler.onInvalid(scan.number, 'not valid JSON: cut off');
  scan.carried.clear();
  scan.depth = scan.base;
  if (scan.base === 0) scan.lines = createLines(scan, next);
  else scan.mode = 'broken';
}

/**
 * Whether a brace at the start of a line within a record begins another record. It does if the record was cut off. A
 * record whose brace is alone on its line is indented, and its list's items may begin lines.
 */
function beginsAnother(scan: Scan, chunk: Buffer, at: number): boolean {
  const { byte, endsLine } = lastSignificant(chunk, at, scan.last);
  if (!endsLine) return false;
  if (!scan.indented) return true;
  return byte !== OPEN_LIST && (byte !== COMMA || scan.depth === scan.base + 1);
}

function endLineInside(scan: Scan, chunk: Buffer, at: number): void {
  if (scan.line === scan.recordLine) {
    scan.indented =
      scan.depth === scan.base + 1 && lastSignificant(chunk, at, scan.last).byte === OPEN_OBJECT;
  }
  scan.line++;
}

/** Text before a list's bracket from the body's first record on; '' if the list can't be a wrapper's. */
function textBeforeList(scan: Scan, chunk: Buffer, at: number): string {
  if (!scan.opensLists || scan.mode !== 'record' || scan.base !== 0 || scan.depth !== 1) return '';
  if (scan.carried.length + at - scan.start > LIST_START_BYTES) return '';
  const before = scan.carried.empty ? '' : scan.carried.peek();
  return before + chunk.toString('utf8', scan.start, at);
}

function createList(scan: Scan, name: string, beginsWithList: boolean): Splitter {
  scan.carried.clear();
  return createNamedListSplitter({ name, maxRecordBytes: scan.maxBytes, beginsWithList }, scan.handler);
}

function enterWrapper(scan: Scan): void {
  scan.carried.clear();
  scan.mode = 'between';
  scan.base = 2;
  scan.undecided = false;
  scan.records--;
}

function endJunk(scan: Scan): void {
  scan.mode = 'between';
  scan.records++;
  scan.handler.onInvalid(scan.undecided ? scan.line : scan.records, 'not a JSON object');
}

function createLines(scan: Scan, firstNumber: number): Splitter {
  return createLineSplitter(
    scan.maxBytes,
    createJsonLineHandler(scan.handler, (text, number) => splitLine(text, number, scan)),
    firstNumber,
  );
}

/** Splits several objects on one line; their errors have the line's number. */
function splitLine(
  text: string,
  number: number,
  { maxBytes, handler }: Pick<Scan, 'maxBytes' | 'handler'>,
): void {
  const ofLine: JsonHandler = {
    onRecord: (record) => handler.onRecord(record, number),
    onInvalid: (_, reason) => handler.onInvalid(number, reason),
  };
  const splitter = createJsonSplitter(maxBytes, ofLine, 1, false);
  splitter.onChunk(Buffer.from(text));
  splitter.onEnd();
}
