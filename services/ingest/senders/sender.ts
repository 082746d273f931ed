import type { IncomingHttpHeaders } from 'node:http';
import type { Tally } from '../outcomes/tally.js';

/**
 * A sender with its own contract, which decides how it reads answers, repeats and drops. Other senders get the
 * answers of docs/log-format.md. Adding one is a file in this folder and a line in `all-senders.ts`.
 */

/** An answer of ingest, before it is written. */
export interface SenderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Becomes JSON; a Buffer is sent unchanged. */
  readonly body: unknown;
}

/** The parts of a request that precede its body. */
export interface SenderRequest {
  /** Path of the URL, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface Sender {
  readonly name: string;
  matches(request: SenderRequest): boolean;
  /** Reason why no body of this request can be read; null if it may be readable. */
  refusal?(request: SenderRequest): string | null;
  /** Longest record in bytes, if the contract allows more than INGEST_MAX_LINE_BYTES. */
  readonly longestRecord?: number;
  /**
   * Turns the answer to a taken, refused or failed upload into the form that this sender reads.
   * @param tally null if the body was not read
   * @param answeredAt milliseconds since the epoch
   */
  shapeAnswer(
    answer: SenderAnswer,
    request: SenderRequest,
    tally: Tally | null,
    answeredAt: number,
  ): SenderAnswer;
}
