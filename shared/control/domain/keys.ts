import { createHash, timingSafeEqual } from 'node:crypto';
import type { IngestKey, StoredApiKey, StoredIngestKey } from './model.js';
import type { ControlState } from './state.js';

/**
 * Keys: a prefix for the kind (spec §5 rule 2) and 32 random bytes in base64url. Log and state only have the SHA-256: a
 * plain hash is enough, since nobody guesses 256 bits.
 */

export const SECRET_BYTES = 32;

/** No prefix is the beginning of another. */
export const keyPrefixes = {
  api: 'llapi_',
  ingest: 'll_',
  session: 'llsession_',
  signInLink: 'lllink_',
} as const;
const shapes = {
  api: /^llapi_[\w-]{43}$/,
  ingest: /^ll_[\w-]{43}$/,
  session: /^llsession_[\w-]{43}$/,
  signInLink: /^lllink_[\w-]{43}$/,
} as const;
type KeyFamily = keyof typeof keyPrefixes;

export interface NewKey {
  /** Shown once, to the creator of the key. */
  readonly clearText: string;
  readonly digest: string;
  readonly last4: string;
}

/** @param secret 32 random bytes in base64url. */
export function newKey(family: KeyFamily, secret: string): NewKey {
  const clearText = keyPrefixes[family] + secret;
  return { clearText, digest: digestOf(clearText), last4: clearText.slice(-4) };
}

/**
 * The valid API key with this clear text; null if it is unknown, revoked or expired.
 * @param now milliseconds since the epoch.
 */
export function findApiKey(state: ControlState, clearText: string, now: number): StoredApiKey | null {
  return findByDigest('api', state.apiKeys, clearText, now);
}

/** The valid ingest key with this clear text; null if it is unknown or revoked. */
export function findIngestKey(state: ControlState, clearText: string): IngestKey | null {
  return findByDigest('ingest', state.ingestKeys, clearText, 0);
}

interface KeysByDigest<Key> {
  by(field: 'digest', value: string): readonly Key[];
}

/**
 * The valid key of this family; null if it is unknown, revoked or expired at `now`. The digest covers the prefix, so a key of another family is
 * never found.
 * The index is searched by digest, so the time reveals nothing about the key; the constant-time comparison ensures this
 * for any index. The form is checked first, so that no long header is hashed.
 */
export function findByDigest<Key extends StoredApiKey | StoredIngestKey>(
  family: KeyFamily,
  keys: KeysByDigest<Key>,
  clearText: string,
  now: number,
): Key | null {
  if (!shapes[family].test(clearText)) return null;
  const digest = digestOf(clearText);
  const [key] = keys.by('digest', digest);
  if (key === undefined || key.revokedAt !== null) return null;
  if ('expiresAt' in key && key.expiresAt !== null && Date.parse(key.expiresAt) <= now) return null;
  return timingSafeEqual(Buffer.from(key.digest), Buffer.from(digest)) ? key : null;
}

/** SHA-256, hexadecimal. */
export function digestOf(clearText: string): string {
  return createHash('sha256').update(clearText).digest('hex');
}
