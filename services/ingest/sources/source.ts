import type { IncomingHttpHeaders } from 'node:http';
import type { RawRequest } from '../../../shared/requests/raw-request.js';

/**
 * A log source: one format that some sender writes. Adding one is a file in this folder and a line in `list.ts`.
 * Sources are pure. They translate names and units; what holds for every request (addresses, ranges, lengths)
 * is checked once, in `records/validate-request.ts`. Where a website is hosted is its platform
 * (shared/control/model.ts), and says nothing of the format of its logs.
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

type ParsedRecord = RawRequest | Rejection | Skip | NoRecord;
/** A list where one record of the body holds several requests. */
export type Parsed = ParsedRecord | readonly ParsedRecord[];

/** What is known of an upload before its body. */
export interface UploadFacts {
  readonly headers: IncomingHttpHeaders;
  /** Of the URL: what the sender says of its format, `?timezone=` for example. Read by `open` alone, which throws PublicError (400) for a wrong value. */
  readonly query: URLSearchParams;
}

/** An answer of ingest, before it is written as JSON. */
export interface SenderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Reads one upload, record by record, in their order; it may keep what it has read for what follows. */
export interface UploadParser<Input> {
  parse(input: Input): Parsed;
  /**
   * The answer in the form that this sender reads, of an upload that was taken or failed. Absent: as docs/log-format.md has it.
   * @param answeredAt milliseconds since the epoch
   */
  readonly shapeAnswer?: (answer: SenderAnswer, answeredAt: number) => SenderAnswer;
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

export type JsonSource = SourceOf<'json', JsonRecord>;
export type LineSource = SourceOf<'lines', string>;
export type Source = JsonSource | LineSource;
