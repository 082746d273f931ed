import { bodyShape } from '../../../services/ingest/body/body-shape.js';
import { createBodySplitter } from '../../../services/ingest/body/split-body.js';
import { createTally, type Tally } from '../../../services/ingest/outcomes/tally.js';
import { acceptedTimes } from '../../../services/ingest/records/accepted-times.js';
import { createRecordParser } from '../../../services/ingest/records/parse-records.js';
import type { Source, UploadFacts } from '../../../services/ingest/sources/util/source.js';
import { PublicError } from '../../../shared/errors.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';

/** Parses a body from its bytes to encoded requests, without a socket and without a log. */

export const BODY_NOW = Date.parse('2026-02-28T12:00:00Z');

/** An upload without headers and parameters. */
export const plainUpload: UploadFacts = { headers: {}, query: new URLSearchParams() };

export interface TakeBodyOptions {
  readonly chunkBytes?: number;
  /** Default: detected. */
  readonly source?: Source | null;
  /** Headers and parameters of the upload. */
  readonly upload?: UploadFacts;
  /** Time of receipt, milliseconds since the epoch. */
  readonly now?: number;
}

export interface TakenBody {
  readonly tally: Tally;
  readonly requests: readonly RawRequest[];
  /** Refusal of the whole body; null: it was accepted. */
  readonly refusal: PublicError | null;
}

/** @throws errors of the stages, except for the refusal of the whole body */
export function takeBody(
  body: Buffer,
  {
    chunkBytes = Math.max(1, body.length),
    source = null,
    upload = plainUpload,
    now = BODY_NOW,
  }: TakeBodyOptions = {},
): TakenBody {
  const tally = createTally();
  const requests: RawRequest[] = [];
  const parser = createRecordParser({
    source,
    ...upload,
    times: acceptedTimes(now, 400),
    tally,
    onRequest: (request) => void requests.push(request),
    onInflated: () => {},
  });
  const splitter = createBodySplitter(
    { maxLineBytes: 256 * 1024, shape: bodyShape(source, upload.headers['content-type']) },
    parser,
  );
  let refusal: PublicError | null = null;
  try {
    for (let at = 0; at < body.length; at += chunkBytes) splitter.onChunk(body.subarray(at, at + chunkBytes));
    splitter.onEnd();
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    refusal = error;
  }
  encodeRawBlock({ website_id: 'w', source: 's', upload_id: 'u', received_at: now, requests });
  return { tally, requests, refusal };
}
