import { createHmac, timingSafeEqual } from 'node:crypto';

/** Links to files of a folder, signed with an HMAC over key, expiry and name (services/api/files serves them). */

export const FILES_PATH = '/public/v1/files';

export interface SignedFile {
  readonly key: string;
  /** Milliseconds since the epoch; a link has whole seconds. */
  readonly expiresAt: number;
  /** File name for the download. */
  readonly name: string;
}

function signatureOf(secret: Buffer, { key, expires, name }: { key: string; expires: string; name: string }) {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, expires, name]))
    .digest('base64url');
}

/** @param base URL of the API, without a trailing slash. */
export function signFile(secret: Buffer, base: string, { key, expiresAt, name }: SignedFile): string {
  const expires = String(Math.floor(expiresAt / 1000));
  const signature = signatureOf(secret, { key, expires, name });
  const query = new URLSearchParams({ expires, name, signature });
  return `${base}${FILES_PATH}/${key}?${query}`;
}

/** Verifies a link at `now` (milliseconds since the epoch), in constant time; null: invalid or expired. */
export function verifyFile(
  secret: Buffer,
  {
    key,
    expires,
    name,
    signature,
  }: { key: string; expires?: string | undefined; name?: string | undefined; signature?: string | undefined },
  now: number,
): SignedFile | null {
  if (expires === undefined || name === undefined || signature === undefined) return null;
  if (!/^\d{1,12}$/.test(expires)) return null;
  const wanted = Buffer.from(signatureOf(secret, { key, expires, name }));
  const given = Buffer.from(signature);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const expiresAt = Number(expires) * 1000;
  return now < expiresAt ? { key, expiresAt, name } : null;
}
