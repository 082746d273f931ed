import { randomInt } from 'node:crypto';

/**
 * FNV-1a with a seed of this process, by words of four bytes, then by the bytes that are left. The scanner of plain lines computes the same on its way to
 * a text's end (services/ingest/sources/plain-combined/assembly/read-text.ts).
 */

/**
 * So that a sender can hardly choose texts that share a slot. Some pairs of texts collide with every seed: a look-up is bounded all the same
 * (byte-dictionary.ts).
 */
const SEED = randomInt(2 ** 31);
const PRIME = 0x01000193;

export const beginHash = (): number => SEED;

/** @param part a word, little-endian, or a byte */
function addToHash(hash: number, part: number): number {
  const sum = Math.imul(hash ^ part, PRIME);
  return sum ^ (sum >>> 15);
}

/** @param view the bytes of the buffer that `from` and `to` count in */
export function hashBytes(view: DataView, from: number, to: number): number {
  let hash = beginHash();
  let at = from;
  for (; at + 4 <= to; at += 4) hash = addToHash(hash, view.getInt32(at, true));
  for (; at < to; at += 1) hash = addToHash(hash, view.getUint8(at));
  return hash;
}

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
