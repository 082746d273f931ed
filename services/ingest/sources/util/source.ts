import type { IncomingHttpHeaders } from 'node:http';
import type { ColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import type { RawRequest } from '../../../../shared/requests/raw-request.js';

/**
 * A log source: one format that some sender writes. Adding one is a file in `services/ingest/sources` and a line in `all-sources.ts`.
 * Sources are pure. They translate names and units; `records/validate-request.ts` checks the rules for every request
 * (addresses, ranges, lengths). A website's platform (shared/control/domain/model.ts) is its hosting, and does not
 * imply the format of its logs.
 */

/** A parsed JSON object of the body. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The record is wrong: counted and reported to the sender. */
export interface Rejection {
  readonly reject: string;
}

/** The record is valid but must not count as a request, e.g. a subrequest of the CDN to itself. */
export interface Skip {
  readonly skip: string;
}

/** Valid, but not a record: a line of headers, for example. Counted nowhere. */
export interface NoRecord {
  readonly noRecord: string;
}

/**
 * A request that depends on other lines of the upload. {@link decide} is called when more of them are known, at the
 * latest at the upload's end.
 */
export interface Undecided {
  readonly decide: () => RawRequest | Rejection;
}

type ParsedRecord = RawRequest | Rejection | Skip | NoRecord | Undecided;
/** A list if one record of the body has several requests. */
export type Parsed = ParsedRecord | readonly ParsedRecord[];

/** The parts of an upload that precede its body and describe its format. */
export interface UploadFacts {
  readonly headers: IncomingHttpHeaders;
  /**
   * The URL's parameters, which describe the format: `?timezone=` for example. Only `open` reads them; it throws
   * PublicError (400) for an invalid value.
   */
  readonly query: URLSearchParams;
}

/** Reads one upload, record by record, in order. It may keep state for later records. */
export interface UploadParser<Input> {
  parse(input: Input): Parsed;
  /** Like the source's `detect`; present if its result also speeds up {@link parse}. */
  recognises?(input: Input): boolean;
  /** A fast path for plain lines. */
  openPlainReader?(times: TimeBounds, sink: RowSink): PlainLineReader;
}

interface SourceOf<Shape extends string, Input> {
  /** Value of `?source=`, and of `source` in answers, metrics and rows. */
  readonly name: string;
  /** The parts into which the body is split for this source. */
  readonly shape: Shape;
  /** Whether the record looks like this source's; loose, so that a record with a wrong value is still recognised. */
  detect(sample: Input): boolean;
  /** A parser for one upload; a parser without state may serve all. */
  open(upload: UploadFacts): UploadParser<Input>;
}

/** Milliseconds since the epoch, both included. */
export interface TimeBounds {
  readonly earliest: number;
  readonly latest: number;
}

/** Bytes that a row counts in addition to its texts. */
export const ROW_TEXT_BYTES = 64;

/** The open block's columns and its remaining room. */
export interface Room {
  readonly builder: ColumnBuilder;
  /** At least one. */
  readonly rows: number;
  /** Remaining budget in bytes of texts, and {@link ROW_TEXT_BYTES} a row. The row that uses it up closes the block; at 0 or below the next row does. */
  readonly text: number;
}

/** Receives the requests of plain lines as bytes. */
export interface RowSink {
  /** Room in the open block; opens one for this source if there is none. */
  room(source: string): Room;
  /**
   * Called after rows were added to the builder, at most as many as there was room for. @param text bytes of their
   * texts that clients write
   */
  rowsAdded(rows: number, text: number): void;
}

/**
 * Reads plain lines from their bytes. Most servers write them for most requests. Its result must equal that of {@link
 * UploadParser.parse}, which reads the other lines.
 */
export interface PlainLineReader {
  /** Sets the bytes to read. They do not change until the next call. */
  begin(chunk: Buffer): void;
  /**
   * Reads whole lines from `from` up to the first that is not plain.
   * @param to index after the last line feed
   * @returns index of the first unread byte
   */
  read(from: number, to: number, maxLineBytes: number): number;
  /** Lines that the last call read. */
  readonly lines: number;
}

export interface JsonSource extends SourceOf<'json', JsonRecord> {
  /**
   * Whether the record has all required fields of a request; absent: every recognised record has. Otherwise a log
   * line in the record counts instead (envelopes/).
   */
  isWhole?(record: JsonRecord): boolean;
}

export interface LineSource extends SourceOf<'lines', string> {
  /** Its lines may look like anything, so neither JSON nor prefixes are recognised in the body. */
  readonly takesAnyText?: true;
}

export type Source = JsonSource | LineSource;
