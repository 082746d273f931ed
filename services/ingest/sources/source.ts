import type { RawRequest } from '../../../shared/requests/raw-request.js';

/**
 * A log source: one format that some sender writes. Adding one is a file in this folder and a line in `list.ts`.
 * Sources are pure. They translate names and units; what holds for every request (addresses, ranges, lengths)
 * is checked once, in `records/validate-request.ts`.
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

export type Parsed = RawRequest | Rejection | Skip;

interface SourceOf<Shape extends string, Input> {
  /** Value of `?source=`, and of `source` in answers, metrics and rows. */
  readonly name: string;
  /** What the body is split into for this source. */
  readonly shape: Shape;
  /** Whether the record looks like this source's; loose, so that a record with a wrong value is still recognised. */
  detect(sample: Input): boolean;
  parse(input: Input): Parsed;
}

export type JsonSource = SourceOf<'json', JsonRecord>;
export type LineSource = SourceOf<'lines', string>;
export type Source = JsonSource | LineSource;
