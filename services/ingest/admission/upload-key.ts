import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { PublicError } from '../../../shared/errors.js';

/**
 * An upload that is sent again counts once where its sender names it. Ingest keeps nothing for that: it cuts a named upload
 * into the same blocks each time and gives each block a deduplication id; the enricher stores the first block of an id
 * within a day (services/enricher/sink/EXACTLY-ONCE.md).
 */

/** As for writes of the API. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * What names the upload: `Idempotency-Key`, else the request id that Amazon Data Firehose keeps over its retries. An empty
 * header names nothing.
 * @returns a digest that names the upload among those of all websites; null where the sender names nothing.
 * @throws PublicError (400) for a name of the wrong form; it says in which header.
 */
export function readUploadKey(headers: IncomingHttpHeaders, websiteId: string): string | null {
  const key = headers['idempotency-key'];
  const name = key || headers['x-amz-firehose-request-id'];
  if (!name) return null;
  if (typeof name !== 'string' || !IDEMPOTENCY_KEY.test(name)) {
    throw new PublicError(
      'invalid_request',
      `${key ? 'Idempotency-Key' : 'X-Amz-Firehose-Request-Id'}: expected 1 to 255 visible ASCII characters, a UUID for example`,
    );
  }
  return createHash('sha256').update(`${websiteId}/${name}`).digest('base64url');
}
