import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyRing, SealingKey } from './key-ring.js';

/**
 * A text sealed with a key of an organisation: AES-256-GCM, bound to a context, so that a sealed text says nothing in
 * another place. `1:<key's name>:<base64url of iv, text and tag>`.
 */
const SEALED = /^1:([^:]+):([\w-]+)$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  readonly key: SealingKey;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  /** What the text belongs to; whoever opens it names the same. */
  readonly context: string;
}

export function sealText(text: string, { key, randomBytes, context }: Sealing): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
  return `1:${key.name}:${Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')}`;
}

/** Whether it has the form of a sealed text. */
export function isSealed(text: string): boolean {
  return SEALED.test(text);
}

/** null: the key is gone, or the text was not sealed so. */
export async function openSealedText(
  text: string,
  ring: Pick<KeyRing, 'find'>,
  context: string,
): Promise<string | null> {
  const match = SEALED.exec(text);
  const key = match === null ? null : await ring.find(match[1]!);
  if (key === null) return null;
  const sealed = Buffer.from(match![2]!, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const opened = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
