import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { PublicError } from '../../../shared/errors.js';

/**
 * A repeated upload counts once if its sender names it. Ingest stores nothing for that. It cuts a named upload into
 * the same blocks each time and gives each block a deduplication id (`deduplicationIdOf` in raw-block-codec.ts). The enricher stores the first block of an id
 * within a day (services/enricher/sink/EXACTLY-ONCE.md).
 */

/** The same form as for writes of the API. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the upload's name: `Idempotency-Key`, else the request id that Amazon Data Firehose repeats in its retries.
 * An empty header is no name.
 * @returns a digest that is unique over all websites; null if the upload has no name
 * @throws PublicError (400) for a name of the wrong form, with the header's name
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
