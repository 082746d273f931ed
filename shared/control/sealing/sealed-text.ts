import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyRing, SealingKey } from './key-ring.js';

/**
 * A text sealed with a key of an organisation: AES-256-GCM, bound to a context, so that it cannot be opened in another
 * place. `1:<key's name>:<base64url of iv, text and tag>`.
 */
const SEALED = /^1:([^:]+):([\w-]+)$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  readonly key: SealingKey;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  /** Owner of the text; opening needs the same context. */
  readonly context: string;
}

export function sealText(text: string, { key, ...sealing }: Sealing): string {
  return `1:${key.name}:${encrypt(text, { ...sealing, key: key.bytes })}`;
}

/** @returns iv, text and tag in base64url. */
export function encrypt(
  text: string,
  { key, randomBytes, context }: Omit<Sealing, 'key'> & { readonly key: Buffer },
): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** @throws Error if it was encrypted with another key or context. */
export function decrypt(encrypted: string, key: Buffer, context: string): string {
  const sealed = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString('utf8');
}

/** Whether it has the form of a sealed text. */
export function isSealed(text: string): boolean {
  return SEALED.test(text);
}

/** null: the key is deleted, or the text was not sealed with this key and context. */
export async function openSealedText(
  text: string,
  ring: Pick<KeyRing, 'find'>,
  context: string,
): Promise<string | null> {
  const match = SEALED.exec(text);
  const key = match === null ? null : await ring.find(match[1]!);
  if (key === null) return null;
  try {
    return decrypt(match![2]!, key, context);
  } catch {
    return null;
  }
}
