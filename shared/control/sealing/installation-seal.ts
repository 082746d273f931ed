import type { KeyRing } from './key-ring.js';
import { decrypt, encrypt } from './sealed-text.js';

/**
 * Seals texts that a stranger carries and brings back, so that nothing has to be stored: AES-256-GCM with a key of the
 * installation. The key is in `control.keys` next to those of the organisations: every replica has it, and no snapshot.
 */
export interface InstallationSeal {
  /** @returns text for an address: letters, digits, `-`, `_` and `.` @throws LogUnavailableError */
  seal(purpose: string, text: string): Promise<string>;
  /** null: it was not sealed here for this purpose, or was changed. @throws LogUnavailableError */
  open(purpose: string, sealed: string): Promise<string | null>;
}

/** No organisation has this id. */
const OWNER = 'installation';
/** The bound keeps the work for a stranger's text small. */
const SEALED = /^([0-9a-f]{12})\.([\w-]{38,6000})$/;

export function createInstallationSeal(
  ring: Pick<KeyRing, 'keyOf' | 'find'>,
  randomBytes: (count: number) => Buffer,
): InstallationSeal {
  return {
    async seal(purpose, text) {
      const { name, bytes } = await ring.keyOf(OWNER);
      const sealed = encrypt(text, { key: bytes, randomBytes, context: `${OWNER} ${purpose}` });
      return `${name.slice(OWNER.length + 1)}.${sealed}`;
    },
    async open(purpose, sealed) {
      const [, name, encrypted] = SEALED.exec(sealed) ?? [];
      if (name === undefined || encrypted === undefined) return null;
      const key = await ring.find(`${OWNER}/${name}`);
      if (key === null || !isCanonical(encrypted)) return null;
      try {
        return decrypt(encrypted, key, `${OWNER} ${purpose}`);
      } catch {
        return null;
      }
    },
  };
}

/** Bits that base64 ignores would let a changed text pass. */
function isCanonical(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}
