import { randomInt } from 'node:crypto';

/**
 * FNV-1a over four-byte words, with a seed per process. The reader of plain lines computes it while it searches a
 * text's end (services/ingest/sources/combined/find-text.ts).
 */

/**
 * Makes it hard for a sender to choose texts that share a slot. Some pairs collide with every seed, but a look-up stays
 * bounded (byte-dictionary.ts).
 */
const SEED = randomInt(2 ** 31);
const PRIME = 0x01000193;

export const beginHash = (): number => SEED;

/** @param part a little-endian word, or a byte */
export function addToHash(hash: number, part: number): number {
  const sum = Math.imul(hash ^ part, PRIME);
  return sum ^ (sum >>> 15);
}

/** @param view bytes of the buffer to which `from` and `to` refer */
export function hashBytes(view: DataView, from: number, to: number): number {
  let hash = beginHash();
  let at = from;
  for (; at + 4 <= to; at += 4) hash = addToHash(hash, view.getInt32(at, true));
  return endHash(hash, view, from, at, to);
}

/** Adds the last bytes, fewer than four, as the text's last word: fewer branches than byte by byte. */
export function endHash(hash: number, view: DataView, from: number, at: number, to: number): number {
  if (at === to) return hash;
  if (to - from >= 4) return addToHash(hash, view.getInt32(to - 4, true));
  let sum = hash;
  for (let rest = at; rest < to; rest += 1) sum = addToHash(sum, view.getUint8(rest));
  return sum;
}

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
