import type { IncomingHttpHeaders } from 'node:http';
import type { ColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import type { RawRequest } from '../../../../shared/requests/raw-request.js';

/**
 * A log source: one format that some sender writes. Adding one is a file in this folder and a line in `all-sources.ts`.
 * Sources are pure. They translate names and units; what holds for every request (addresses, ranges, lengths)
 * is checked once, in `records/validate-request.ts`. Where a website is hosted is its platform
 * (shared/control/domain/model.ts), and says nothing of the format of its logs.
 */

/** A parsed JSON object of the body. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The record is wrong: counted and reported to the sender. */
export interface Rejection {
  readonly reject: string;
}

/** The record is right and must not count as a request, e.g. a subrequest of the CDN to itself. */
export interface Skip {
  readonly skip: string;
}

/** Right, and no record at all: a line of headers, say. Counted nowhere. */
export interface NoRecord {
  readonly noRecord: string;
}

/** A request that other lines of the upload decide on. {@link decide} is called when more of them are known, at the latest at the upload's end. */
export interface Undecided {
  readonly decide: () => RawRequest | Rejection;
}

type ParsedRecord = RawRequest | Rejection | Skip | NoRecord | Undecided;
/** A list where one record of the body holds several requests. */
export type Parsed = ParsedRecord | readonly ParsedRecord[];

/** What is known of an upload before its body. */
export interface UploadFacts {
  readonly headers: IncomingHttpHeaders;
  /** Of the URL: what the sender says of its format, `?timezone=` for example. Read by `open` alone, which throws PublicError (400) for a wrong value. */
  readonly query: URLSearchParams;
}

/** Reads one upload, record by record, in their order; it may keep what it has read for what follows. */
export interface UploadParser<Input> {
  parse(input: Input): Parsed;
  /** As the source's `detect`; there where what it has found serves {@link parse} too. */
  recognises?(input: Input): boolean;
  /** A fast way for plain lines. */
  openPlainReader?(times: TimeBounds, sink: RowSink): PlainLineReader;
}

interface SourceOf<Shape extends string, Input> {
  /** Value of `?source=`, and of `source` in answers, metrics and rows. */
  readonly name: string;
  /** What the body is split into for this source. */
  readonly shape: Shape;
  /** Whether the record looks like this source's; loose, so that a record with a wrong value is still recognised. */
  detect(sample: Input): boolean;
  /** A parser for one upload; one that keeps nothing may be the same for all. */
  open(upload: UploadFacts): UploadParser<Input>;
}

/** Milliseconds since the epoch, both included. */
export interface TimeBounds {
  readonly earliest: number;
  readonly latest: number;
}

/** Bytes that a row counts beside its texts. */
export const ROW_TEXT_BYTES = 64;

/** The open block's columns, and what it still takes. */
export interface Room {
  readonly builder: ColumnBuilder;
  /** At least one. */
  readonly rows: number;
  /** Remaining budget in bytes of texts, and {@link ROW_TEXT_BYTES} a row. The row that uses it up closes the block; at 0 or below the next row does. */
  readonly text: number;
}

/** Where lines put their requests as bytes. */
export interface RowSink {
  /** In the open block; where none is open, one is begun for this source. */
  room(source: string): Room;
  /** Called when the builder has got rows, no more than there was room for. @param text bytes of their texts that clients write */
  rowsAdded(rows: number, text: number): void;
}

/**
 * Reads plain lines from their bytes: those that most servers write for most requests. What a plain line means is what {@link UploadParser.parse}
 * makes of it; any other line is left to it.
 */
export interface PlainLineReader {
  /** The bytes that are read from next. They are not changed until the next call. */
  begin(chunk: Buffer): void;
  /**
   * Reads whole lines from `from` up to the first that is not plain.
   * @param to index behind the last line feed
   * @returns index of the first byte that is left
   */
  read(from: number, to: number, maxLineBytes: number): number;
  /** Lines that the last call has read. */
  readonly lines: number;
}

export interface JsonSource extends SourceOf<'json', JsonRecord> {
  /** Whether the record names all that a request needs; absent: each that is recognised does. Beside less than that a log line in it counts (envelopes/). */
  isWhole?(record: JsonRecord): boolean;
}

export interface LineSource extends SourceOf<'lines', string> {
  /** Its lines may look like anything: the body is not taken for JSON, and nothing is taken for a prefix. */
  readonly takesAnyText?: true;
}

export type Source = JsonSource | LineSource;
