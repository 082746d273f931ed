import { createHash, hkdfSync } from 'node:crypto';
import { IDEMPOTENCY_HOURS } from '../../../shared/control/aggregates/idempotency.js';
import type { IdempotencyRecord } from '../../../shared/control/domain/model.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import { decrypt, encrypt } from '../../../shared/control/sealing/sealed-text.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller, IdempotencyClaim } from './api-control.js';

/**
 * `Idempotency-Key` on writes that create something. A repeat within 24 hours by the same API key gets the first answer,
 * byte for byte, and changes nothing. Refusals are not stored: a repeat is decided again.
 *
 * The answer may contain a secret that is shown once (a new ingest key), which must not be in the log in clear text. So it is
 * encrypted with a key derived from the caller's API key and Idempotency-Key: only the sender of the request can read it.
 */

/** Valid values of the header; a UUID is usual. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** How long a first request may take before its answer counts as lost; longer than any write. */
const ANSWER_WITHIN_MS = MINUTE_MS;

export interface IdempotentRequest extends IdempotencyClaim {
  readonly sealingSecret: string;
}

/**
 * @param header the caller's Idempotency-Key.
 * @param request what was asked, e.g. method, path and body.
 * @throws PublicError invalid_request.
 */
export function readIdempotencyKey(
  header: string,
  { caller, clearKey, request }: { caller: Caller; clearKey: string; request: readonly unknown[] },
): IdempotentRequest {
  if (!IDEMPOTENCY_KEY.test(header)) {
    throw new PublicError(
      'invalid_request',
      'Idempotency-Key: expected 1 to 255 visible ASCII characters, a UUID for example',
    );
  }
  return {
    id: digest([caller.apiKey.id, header]),
    requestDigest: digest(request),
    sealingSecret: digest([clearKey, header, 'seal']),
  };
}

const digest = (parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** null: unknown, or older than an Idempotency-Key lives. */
export function findIdempotencyRecord(
  state: ControlState,
  id: string,
  now: number,
): IdempotencyRecord | null {
  const record = state.idempotencyRecords.get(id);
  if (record === undefined) return null;
  return now - Date.parse(record.claimedAt) < IDEMPOTENCY_HOURS * HOUR_MS ? record : null;
}

/** Two with the same key at once: the other one is being carried out. */
export function keyInUse(): PublicError {
  return new PublicError(
    'conflict',
    'Idempotency-Key: the first request with this key is still being carried out; repeat the call in a second.',
    { fields: { code: 'idempotency_key_in_use' }, retryAfterSeconds: 1 },
  );
}

/**
 * The answer that a repeat gets.
 * @returns JSON text.
 * @throws PublicError `conflict` where the key was used for another request, or its answer is not there.
 */
export function replayedAnswer(record: IdempotencyRecord, request: IdempotentRequest, now: number): string {
  if (record.requestDigest !== request.requestDigest) {
    throw conflict('the key was used for another request; choose a new one', 'idempotency_key_reused');
  }
  if (record.sealedAnswer !== null)
    return decrypt(record.sealedAnswer, keyOf(request.sealingSecret), CONTEXT);
  if (now - Date.parse(record.claimedAt) < ANSWER_WITHIN_MS) throw keyInUse();
  throw conflict(
    'the first request with this key was carried out, but its answer was lost; read what it created',
    'idempotency_answer_lost',
  );
}

function conflict(detail: string, code: string): PublicError {
  return new PublicError('conflict', `Idempotency-Key: ${detail}.`, { fields: { code } });
}

/** The key is made for this purpose alone. */
const CONTEXT = '';

export function seal(answer: string, secret: string, randomBytes: (count: number) => Buffer): string {
  return encrypt(answer, { key: keyOf(secret), randomBytes, context: CONTEXT });
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'loglane idempotent answer', 32));
}
