import { PublicError } from '../../../shared/errors.js';
import { sources } from '../sources/all-sources.js';
import { template } from '../sources/template/template.js';
import type { JsonRecord, JsonSource, LineSource, Source } from '../sources/util/source.js';

const names = sources.map((source) => source.name).join(', ');

/**
 * The source that `?source=` names, or the source of custom formats for `?format=`; null if the URL has neither.
 * @throws PublicError (400) for an unknown name, and for a format together with another source's name
 */
export function findNamedSource(query: URLSearchParams): Source | null {
  const name = query.get('source') ?? '';
  if (query.has('format') || name === template.name) {
    if (name === '' || name === template.name) return template;
    throw new PublicError('invalid_request', 'format: leave source out, it is chosen by the format');
  }
  if (name === '') return null;
  const source = sources.find((candidate) => candidate.name === name);
  if (source !== undefined) return source;
  throw new PublicError(
    'invalid_request',
    `source: unknown name ${JSON.stringify(name.slice(0, 60))}; known: ${names}`,
  );
}

/** The source that recognises a JSON record; null for none. */
export function detectJsonSource(record: JsonRecord): JsonSource | null {
  for (const source of sources) if (source.shape === 'json' && source.detect(record)) return source;
  return null;
}

/** Whether the record is itself a request. */
export function isWholeRequest(record: JsonRecord): boolean {
  const source = detectJsonSource(record);
  return source !== null && source.isWhole?.(record) !== false;
}

/** The source that recognises a line; null for none. */
export function detectLineSource(line: string): LineSource | null {
  for (const source of sources) if (source.shape === 'lines' && source.detect(line)) return source;
  return null;
}

/** Whether the record is Logpush's check of a new destination; it is not a request. */
export function isDestinationCheckRecord(record: JsonRecord): boolean {
  return record.content === 'tests' && Object.keys(record).length === 1;
}

/** The same, as some receivers see it. */
export function isDestinationCheckLine(line: string): boolean {
  return line === 'test' || line === 'tests';
}

/**
 * Refuses comma-separated values, because their columns have no reliable names. Otherwise every line would be
 * rejected, and the sender would get 200 without a reason.
 * @throws PublicError (415)
 */
export function refuseCommaSeparated(line: string): void {
  if (detectLineSource(line) !== null || (!holdsLogpushColumn(line) && !isRowOfColumns(line))) return;
  throw new PublicError(
    'unsupported_media_type',
    'Comma-separated logs are not supported. Set the Logpush job’s output_type to ndjson, or send JSON records.',
  );
}

const QUOTE = 34;
const logpushColumns = new Set(['EdgeStartTimestamp', 'ClientRequestURI', 'ClientIP', 'RayID']);
/** Longer than each of these names in quotes; longer columns are not compared. */
const LONGEST_COLUMN = 32;

/** Whether the line is a header: one column, bare or quoted, has a name of Logpush. */
function holdsLogpushColumn(line: string): boolean {
  for (let from = 0; from <= line.length; ) {
    const comma = line.indexOf(',', from);
    const to = comma === -1 ? line.length : comma;
    if (to - from <= LONGEST_COLUMN) {
      const quoted = line.charCodeAt(from) === QUOTE && line.charCodeAt(to - 1) === QUOTE && to - from > 1;
      if (logpushColumns.has(quoted ? line.slice(from + 1, to - 1) : line.slice(from, to))) return true;
    }
    from = to + 1;
  }
  return false;
}

const LEAST_COLUMNS = 3;

/** Whether the line is a row without names: it has only columns, and is quoted or has no space, unlike a log line. */
function isRowOfColumns(line: string): boolean {
  const isQuoted = line.charCodeAt(0) === QUOTE;
  if (!isQuoted && line.includes(' ')) return false;
  let columns = 0;
  for (let from = 0; ; columns++) {
    const end = endOfColumn(line, from);
    if (end === -1) return false;
    if (end === line.length) return columns + 1 >= LEAST_COLUMNS;
    from = end + 1;
  }
}

/** Index of the comma after a column, or of the line's end; -1 for misplaced quotes. */
function endOfColumn(line: string, from: number): number {
  let end: number;
  if (line.charCodeAt(from) === QUOTE) {
    end = line.indexOf('"', from + 1) + 1;
    if (end === 0) return -1;
  } else {
    const comma = line.indexOf(',', from);
    end = comma === -1 ? line.length : comma;
    if (line.slice(from, end).includes('"')) return -1;
  }
  return end === line.length || line.charCodeAt(end) === 44 /* , */ ? end : -1;
}
