import type { IncomingHttpHeaders } from 'node:http';
import type { Tally } from '../outcomes/tally.js';

/**
 * A sender with a contract of its own: what it reads in an answer, what it repeats and what it drops. Where it is none of
 * these, answers are those of docs/log-format.md. Adding one is a file in this folder and a line in `all-senders.ts`.
 */

/** An answer of ingest, before it is written. */
export interface SenderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Becomes JSON; a Buffer goes out as it is. */
  readonly body: unknown;
}

/** What is known of a request before its body. */
export interface SenderRequest {
  /** Of the URL, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface Sender {
  readonly name: string;
  matches(request: SenderRequest): boolean;
  /** Why no body of this request could be read, from what is known before it; null: it may be. */
  refusal?(request: SenderRequest): string | null;
  /** Longest record in bytes, where the contract allows one that is longer than INGEST_MAX_LINE_BYTES. */
  readonly longestRecord?: number;
  /**
   * The answer in the form that this sender reads, of an upload that was taken, refused or failed.
   * @param tally null where the body was not looked at
   * @param answeredAt milliseconds since the epoch
   */
  shapeAnswer(
    answer: SenderAnswer,
    request: SenderRequest,
    tally: Tally | null,
    answeredAt: number,
  ): SenderAnswer;
}
