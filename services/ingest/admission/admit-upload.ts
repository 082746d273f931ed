import { PublicError } from '../../../shared/errors.js';
import type { NotReady } from '../../../shared/service/readiness.js';
import { bodyShape } from '../body/body-shape.js';
import { readEncoding, tooLargeAsSent } from '../body/inflate.js';
import { acceptedTimes } from '../records/accepted-times.js';
import { findNamedSource } from '../records/detect-source.js';
import type { Sender, SenderRequest } from '../senders/sender.js';
import type { IngestKeyOwner } from './authenticate.js';
import type { ByteRates } from './byte-rates.js';
import type { Quotas } from './quota.js';
import type { Upload } from './upload.js';
import { readUploadKey } from './upload-key.js';
import type { UploadSlots } from './upload-slots.js';

export interface Admission {
  readonly slots: UploadSlots;
  readonly byteRates: ByteRates;
  readonly quotas: Quotas;
  readonly maxBytes: number;
  readonly maxLineBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUploadId: () => string;
}

/** @throws PublicError (503) while uploads can't be taken */
export function refuseUnlessReady(notReady: NotReady): void {
  if (notReady === null) return;
  throw new PublicError('unavailable', 'Not ready yet; send the upload again.', {
    retryAfterSeconds: 5,
    fields: { reason: 'not_ready' },
  });
}

/**
 * Checks all that can be checked before the first byte of the body, and takes a slot for the upload.
 * @throws PublicError
 */
export function admitUpload(
  owner: IngestKeyOwner,
  request: SenderRequest,
  sender: Sender,
  { slots, byteRates, quotas, maxBytes, maxLineBytes, now, newUploadId }: Admission,
): Upload {
  const { headers, query } = request;
  const unreadable = sender.refusal?.(request) ?? null;
  if (unreadable !== null) throw new PublicError('invalid_request', unreadable);
  const source = findNamedSource(query);
  refuseContentType(headers['content-type']);
  const encoding = readEncoding(headers['content-encoding']);
  const uploadKey = readUploadKey(headers, owner.websiteId);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLargeAsSent(maxBytes);
  quotas.refuseBeyond(owner);
  byteRates.refuseWhileHeldBack(owner.websiteId);
  const { leave } = slots.enter(owner);
  return {
    id: newUploadId(),
    websiteId: owner.websiteId,
    uploadKey,
    headers,
    query,
    encoding,
    source,
    maxLineBytes: Math.max(maxLineBytes, sender.longestRecord ?? 0),
    shape: bodyShape(source, headers['content-type']),
    times: acceptedTimes(now(), owner.plan.retentionDays),
    waitForRate: (bytes) => byteRates.waitForRate(owner.websiteId, bytes),
    meter: quotas.meter(owner),
    leave,
  };
}

const unsupportedTypes = new Set(['application/msgpack', 'application/x-msgpack', 'application/vnd.msgpack']);

/**
 * Refuses only types that no detection could read. Senders often set other content types wrongly, so those are hints.
 */
function refuseContentType(header: string | undefined): void {
  const type = (header ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (!unsupportedTypes.has(type) && !type.startsWith('multipart/')) return;
  throw new PublicError(
    'unsupported_media_type',
    `Content-Type ${type} is not supported. Send newline-delimited JSON, a JSON array or plain log lines as the body.`,
  );
}
