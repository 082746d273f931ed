import type { JsonRecord, Rejection, Skip } from '../sources/source.js';

/**
 * An envelope: what stands around a log line or record because of the way that it took, not because of who wrote it (a
 * shipper's `message`, a queue's message, a prefix of syslog). It is opened before a source sees what is inside.
 * Adding one is a file in this folder and a line in `list.ts`.
 */

/** What an envelope holds. */
export type Content = { readonly record: JsonRecord } | { readonly line: string } | Rejection | Skip;

/** What opening envelopes may cost, of one upload. */
export interface Unpacking {
  /**
   * Counts bytes that came out of compression inside of the body: they count as those of the body do.
   * @throws PublicError (413) past the limit of the upload.
   */
  onInflated(bytes: number): void;
  /** Counts an action of a bulk upload. */
  onBulkAction(): void;
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
