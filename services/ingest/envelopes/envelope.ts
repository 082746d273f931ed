import type { JsonRecord, NoRecord, Rejection, Skip } from '../sources/util/source.js';

/**
 * An envelope: what stands around a log line or record because of the way that it took, not because of who wrote it (a
 * shipper's `message`, a queue's message, a prefix of syslog). It is opened before a source sees what is inside.
 * Adding one is a file in this folder and a line in `all-envelopes.ts`.
 */

/** What an envelope holds. */
export type Content =
  | { readonly record: JsonRecord }
  | { readonly line: string }
  | Rejection
  | Skip
  | NoRecord;

/** A part of a line. */
export interface Part {
  /** Tells this line's parts from those of others: its stream and container. */
  readonly key: string;
  readonly text: string;
  readonly isLast: boolean;
  /** Place in the line from 1, where the carrier numbers parts; else 0. */
  readonly ordinal: number;
  /** Whether the carrier says that this is a part. Otherwise it is one only if its last part says so. */
  readonly isMarked: boolean;
}

export interface PartJoiner {
  /** @returns the lines that are whole now: none, the part's, or one before it that was no part. */
  join(part: Part): readonly Content[];
  /** @returns what is left when the upload ends. */
  end(): readonly Content[];
  /** Number of the record that is read: an error of what is left at the end names it. */
  number: number;
  /** Whether parts wait for others. */
  readonly isWaiting: boolean;
}

/** What opening envelopes may cost, of one upload. */
export interface Unpacking {
  /**
   * Counts bytes that came out of compression inside of the body: they count as those of the body do.
   * @throws PublicError (413) past the limit of the upload.
   */
  onInflated(bytes: number): void;
  /** Counts an action of a bulk upload. */
  onBulkAction(): void;
  /** The upload's lines that came in parts. */
  readonly parts: PartJoiner;
  /** Whether the record is a request itself: what lies in it is a field then, whatever its name. */
  isRequest(record: JsonRecord): boolean;
}

export interface RecordEnvelope {
  readonly name: string;
  /** What the record holds; null where it is not this envelope. */
  open(record: JsonRecord, unpacking: Unpacking): readonly Content[] | null;
}

export interface LineEnvelope {
  readonly name: string;
  /** Index of the first character behind the prefix; 0 where the line has none. */
  endOfPrefix(line: string): number;
}
