import type { JsonRecord, NoRecord, Rejection, Skip } from '../sources/util/source.js';

/**
 * An envelope is the text around a log line or record that a carrier added, not the server: a shipper's `message`, a
 * queue's message, a prefix of syslog. It is opened before a source reads its content.
 * Adding one is a file in this folder and a line in `all-envelopes.ts`.
 */

/** The content of an envelope. */
export type Content =
  | { readonly record: JsonRecord }
  | { readonly line: string }
  | Rejection
  | Skip
  | NoRecord;

/** A part of a line. */
export interface Part {
  /** Identifies the line that the part belongs to: its stream and container. */
  readonly key: string;
  readonly text: string;
  readonly isLast: boolean;
  /** Place in the line from 1 if the carrier numbers parts; else 0. */
  readonly ordinal: number;
  /** Whether the carrier says that this is a part. Otherwise it is one only if its last part says so. */
  readonly isMarked: boolean;
}

export interface PartJoiner {
  /** @returns the lines that are now complete: none, the part's, or an earlier one that was not a part */
  join(part: Part): readonly Content[];
  /** @returns the remaining lines at the end of the upload */
  end(): readonly Content[];
  /** Number of the current record; errors of the remaining lines name it. */
  number: number;
  /** Whether parts wait for others. */
  readonly isWaiting: boolean;
}

/** State of one upload that opening envelopes changes. */
export interface Unpacking {
  /**
   * Counts bytes that were compressed within the body; they count like the body's bytes.
   * @throws PublicError (413) past the limit of the upload
   */
  onInflated(bytes: number): void;
  /** Counts an action of a bulk upload. */
  onBulkAction(): void;
  /** The upload's lines that came in parts. */
  readonly parts: PartJoiner;
  /** Whether the record is itself a request; then all its values are fields. */
  isRequest(record: JsonRecord): boolean;
}

export interface RecordEnvelope {
  readonly name: string;
  /** The content of the record; null if the record is not this envelope. */
  open(record: JsonRecord, unpacking: Unpacking): readonly Content[] | null;
}

export interface LineEnvelope {
  readonly name: string;
  /** Index of the first character after the prefix; 0 if the line has none. */
  endOfPrefix(line: string): number;
}
