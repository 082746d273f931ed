/**
 * The partition of a key. Same function as the default partitioner of Kafka's Java client (murmur2 of the UTF-8 key
 * with the sign bit cleared, modulo the partitions). Keys are therefore grouped equally in every form of the log.
 */

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;
const SHIFT = 24;

/** Kafka's 32-bit murmur2 of `bytes`, as a signed integer. */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length;
  const tail = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < tail; at += 4) {
    let word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    word = Math.imul(word, MULTIPLIER);
    word ^= word >>> SHIFT;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word, MULTIPLIER);
  }
  if (tail < length) {
    for (let at = length - 1; at >= tail; at--) hash ^= bytes[at]! << (8 * (at - tail));
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/** The partition of `key` among `partitions` (a positive integer): 0 to partitions - 1. */
export function partitionOf(key: string, partitions: number): number {
  if (partitions === 1) return 0;
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}
