import type { BodyHandler } from '../body/split-body.js';
import { partOfLine } from '../envelopes/container-runtime.js';
import type { Content } from '../envelopes/envelope.js';
import { createPartJoiner } from '../envelopes/join-parts.js';
import { openLine, openRecord } from '../envelopes/open.js';
import { isMiscounted } from '../envelopes/syslog.js';
import type {
  JsonRecord,
  PlainLineReader,
  RowSink,
  Source,
  UploadFacts,
  UploadParser,
} from '../sources/util/source.js';
import { parseJsonRecord } from '../text/parse-json.js';
import {
  detectJsonSource,
  detectLineSource,
  isDestinationCheckLine,
  isDestinationCheckRecord,
  refuseCommaSeparated,
} from './detect-source.js';
import { createRecogniser, type OpenedSource } from './recognise-source.js';
import { createSettler, type SettlerOptions } from './settle-parsed.js';

export interface RecordParserOptions extends UploadFacts, SettlerOptions {
  /** The source that the sender named; null: the first recognised record decides for the whole upload. */
  readonly source: Source | null;
  /** Receives plain lines as bytes; absent: the source's parser reads every line. */
  readonly rows?: RowSink;
  /** Counts bytes that were compressed within the body. @throws PublicError (413) past the upload's limit */
  readonly onInflated: (bytes: number) => void;
  /** Limit of a line that came in parts. */
  readonly maxLineBytes?: number;
}

const unrecognised =
  'format not recognised; name it in the URL (?source=…), or describe its lines (?format=…): docs/sources';

const miscounted =
  'the count of bytes before the message is wrong (RFC 6587): it and the messages up to the next line end are not read';

/** Nested envelopes: a queue's message around a shipper's around syslog around JSON. */
const MOST_ENVELOPES = 5;
const LONGEST_LINE = 256 * 1024;

/**
 * Turns the records and lines of a body into requests, and counts the others.
 * @throws PublicError (400) if a parameter of the URL is invalid for the source
 */
export function createRecordParser({
  source: named,
  headers,
  query,
  tally,
  onInflated,
  rows,
  times,
  onRequest,
  maxLineBytes = LONGEST_LINE,
}: RecordParserOptions): BodyHandler {
  let plainLines: PlainLineReader | null = null;
  let first = true;
  const { read, settle, end } = createSettler({ tally, times, onRequest });
  const parts = createPartJoiner(maxLineBytes);
  const recogniser = createRecogniser({ named, headers, query, onRecognised });
  const { recogniseRecord, recogniseLine, takesAnyText, isRequest } = recogniser;
  const unpacking = { onInflated, onBulkAction: () => void tally.bulkActions++, parts, isRequest };

  function onRecognised({ source, parser }: OpenedSource): void {
    tally.source = source.name;
    if (rows !== undefined) plainLines = withCount(parser.openPlainReader?.(times, rows), onPlainLines);
  }

  function onPlainLines(lines: number): void {
    tally.parsed += lines;
    first = false;
  }

  function takeRecord(record: JsonRecord, number: number, depth: number): void {
    parts.number = number;
    const contents = depth === MOST_ENVELOPES ? null : openRecord(record, unpacking);
    if (contents === null || (recogniser.opened === null && !isMeant(record, contents)))
      readRecord(record, number);
    else takeContents(contents, number, depth + 1);
  }

  function takeContents(contents: readonly Content[], number: number, depth: number): void {
    for (const content of contents)
      if ('line' in content) takeLine(content.line, number, depth);
      else if ('record' in content) takeRecord(content.record, number, depth);
      else settle(content, number);
  }

  function readRecord(record: JsonRecord, number: number): void {
    const chosen = recogniseRecord(record);
    if (chosen === null) tally.reject(number, unrecognised);
    else if (chosen.source.shape === 'json') read(chosen.parser as UploadParser<JsonRecord>, record, number);
    else tally.reject(number, `${chosen.source.name} expects lines of text, not JSON`);
  }

  function takeLine(line: string, number: number, depth: number): void {
    const isAny = takesAnyText();
    const text = isAny ? line : openLine(line);
    const part = depth === 0 && !isAny ? partOfLine(line, parts.isWaiting) : null;
    parts.number = number;
    if (part !== null) takeContents(parts.join(part), number, depth + 1);
    else if (depth === 0 && !isAny && isMiscounted(line)) tally.reject(number, miscounted);
    else if (!isAny && text.charCodeAt(0) === OPEN_OBJECT) takeJsonLine(text, number, depth);
    else takeText(text, number, depth);
  }

  function takeText(text: string, number: number, depth: number): void {
    if (recogniser.opened === null && depth === 0 && first) refuseCommaSeparated(text);
    first = false;
    const chosen = recogniseLine(text);
    if (chosen === null) tally.reject(number, unrecognised);
    else if (chosen.source.shape === 'lines') read(chosen.parser as UploadParser<string>, text, number);
    else tally.reject(number, `${chosen.source.name} expects JSON`);
  }

  function takeJsonLine(text: string, number: number, depth: number): void {
    const value = parseJsonRecord(text);
    if (typeof value !== 'object' || value === null) tally.reject(number, 'not valid JSON');
    else if (depth === MOST_ENVELOPES) tally.reject(number, `more than ${MOST_ENVELOPES} envelopes`);
    else takeRecord(value as JsonRecord, number, depth + 1);
  }

  return {
    isRequest,
    get plainLines() {
      return plainLines;
    },
    onRecord(record, number) {
      const isCheck = first && isDestinationCheckRecord(record);
      first = false;
      if (!isCheck) takeRecord(record, number, 0);
    },
    onLine(line, number) {
      if (first && isDestinationCheckLine(line)) first = false;
      else takeLine(line, number, 0);
    },
    onInvalid(number, reason) {
      first = false;
      tally.reject(number, reason);
    },
    onEnd() {
      takeContents(parts.end(), parts.number, 1);
      end();
    },
  };
}

/** The same reader, which also calls `onLines` with the number of lines of each read. */
function withCount(
  plain: PlainLineReader | undefined,
  onLines: (lines: number) => void,
): PlainLineReader | null {
  if (plain === undefined) return null;
  return {
    begin: (chunk) => plain.begin(chunk),
    read(from, to, maxLineBytes) {
      const at = plain.read(from, to, maxLineBytes);
      if (plain.lines > 0) onLines(plain.lines);
      return at;
    },
    get lines() {
      return plain.lines;
    },
  };
}

const OPEN_OBJECT = 123;

/**
 * Whether the contents of a record count. A record that lacks fields of a request may have any text in others; only a
 * log's text counts.
 */
function isMeant(record: JsonRecord, contents: readonly Content[]): boolean {
  return detectJsonSource(record) === null || contents.some(isRecognised);
}

function isRecognised(content: Content): boolean {
  if ('noRecord' in content) return true;
  if ('record' in content) return detectJsonSource(content.record) !== null;
  if (!('line' in content)) return false;
  const text = openLine(content.line);
  return text.charCodeAt(0) === OPEN_OBJECT || detectLineSource(text) !== null;
}
