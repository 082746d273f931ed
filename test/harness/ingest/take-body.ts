import { bodyShape } from '../../../services/ingest/body/body-shape.js';
import { createBodySplitter } from '../../../services/ingest/body/split-body.js';
import { createTally, type Tally } from '../../../services/ingest/outcomes/tally.js';
import { acceptedTimes } from '../../../services/ingest/records/accepted-times.js';
import { createRecordParser } from '../../../services/ingest/records/parse-records.js';
import type { Source, UploadFacts } from '../../../services/ingest/sources/util/source.js';
import { PublicError } from '../../../shared/errors.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';

/** The way of a body from its bytes to encoded requests, without a socket and without a log. */

export const BODY_NOW = Date.parse('2026-02-28T12:00:00Z');

/** Of an upload of which its sender says nothing. */
export const plainUpload: UploadFacts = { headers: {}, query: new URLSearchParams() };

export interface TakeBodyOptions {
  readonly chunkBytes?: number;
  /** Default: detected. */
  readonly source?: Source | null;
  /** What its sender says of it. */
  readonly upload?: UploadFacts;
  /** When it comes, milliseconds since the epoch. */
  readonly now?: number;
}

export interface TakenBody {
  readonly tally: Tally;
  readonly requests: readonly RawRequest[];
  /** Of the whole body; null: it was taken. */
  readonly refusal: PublicError | null;
}

/** @throws what a stage throws, but for the refusal of the whole body. */
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
    for (let at = 0; at < body.length; at += chunkBytes) splitter.push(body.subarray(at, at + chunkBytes));
    splitter.end();
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    refusal = error;
  }
  encodeRawBlock({ website_id: 'w', source: 's', upload_id: 'u', received_at: now, requests });
  return { tally, requests, refusal };
}
