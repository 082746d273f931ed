import { PublicError } from '../../../shared/errors.js';
import type { NotReady } from '../../../shared/service/readiness.js';
import { readEncoding, tooLargeAsSent } from '../body/inflate.js';
import { acceptedTimes } from '../records/accepted-times.js';
import { findNamedSource } from '../records/detect-source.js';
import type { Sender, SenderRequest } from '../senders/sender.js';
import { authenticate, type FindIngestKey, type IngestKeyOwner } from './authenticate.js';
import type { ByteRates } from './byte-rates.js';
import type { Quotas } from './quota.js';
import type { Upload } from './upload.js';
import { readUploadKey } from './upload-key.js';
import type { UploadSlots } from './upload-slots.js';

export interface Admission {
  readonly notReady: () => NotReady;
  readonly findIngestKey: FindIngestKey;
  readonly slots: UploadSlots;
  readonly byteRates: ByteRates;
  readonly quotas: Quotas;
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUploadId: () => string;
}

export interface Admitted {
  readonly upload: Upload;
  readonly owner: IngestKeyOwner;
  /** Gives the upload's place back. */
  leave(): void;
}

/** A refusal; `owner` where the key was good. */
export interface Refused {
  readonly refusal: PublicError;
  readonly owner: IngestKeyOwner | null;
}

/** Everything that can be said before the first byte of the body; the key first, then what the sender may change. */
export function admitUpload(
  admission: Admission,
  sent: SenderRequest,
  pathKey: string | null,
  sender: Sender,
): Admitted | Refused {
  let owner: IngestKeyOwner | null = null;
  try {
    if (admission.notReady() !== null) {
      throw new PublicError('unavailable', 'Not ready yet; send the upload again.', {
        retryAfterSeconds: 5,
        fields: { reason: 'not_ready' },
      });
    }
    owner = authenticate(sent, pathKey, admission.findIngestKey);
    return admitOwner(admission, owner, sent, sender);
  } catch (error) {
    if (error instanceof PublicError) return { refusal: error, owner };
    throw error;
  }
}

/** @throws PublicError */
function admitOwner(
  { slots, byteRates, quotas, maxBytes, now, newUploadId }: Admission,
  owner: IngestKeyOwner,
  request: SenderRequest,
  sender: Sender,
): Admitted {
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
  const upload: Upload = {
    id: newUploadId(),
    websiteId: owner.websiteId,
    uploadKey,
    headers,
    query,
    encoding,
    source,
    sender,
    times: acceptedTimes(now(), owner.plan.retentionDays),
    pass: (bytes) => byteRates.pass(owner.websiteId, bytes),
    meter: quotas.meter(owner),
  };
  return { owner, upload, leave };
}

const unsupportedTypes = new Set(['application/msgpack', 'application/x-msgpack', 'application/vnd.msgpack']);

/** Only what no sniffing could save: every other content type is a hint that senders often get wrong. */
function refuseContentType(header: string | undefined): void {
  const type = (header ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (!unsupportedTypes.has(type) && !type.startsWith('multipart/')) return;
  throw new PublicError(
    'unsupported_media_type',
    `Content-Type ${type} is not supported. Send newline-delimited JSON, a JSON array or plain log lines as the body.`,
  );
}
