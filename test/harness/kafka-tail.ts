import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Simulates a power failure of a broker with unsynced data: it removes the end of a partition's newest
 * segment. The broker must be stopped.
 * @param folder the broker's data
 * @param topic name at the broker
 * @param end offset from which on nothing may remain; a batch that reaches beyond it is removed as a whole
 * @returns the offset at which the partition ends now
 */
export function cutTail(folder: string, topic: string, partition: number, end: number): number {
  const directory = join(folder, `${topic}-${partition}`);
  const segments = readdirSync(directory).filter((name) => name.endsWith('.log'));
  const newest = segments.sort().at(-1);
  if (newest === undefined) throw new Error(`${directory} contains no segment`);
  const file = join(directory, newest);
  const { size, next } = keptOf(readFileSync(file), Number(newest.slice(0, -'.log'.length)), end);
  truncateSync(file, size);
  // Otherwise the broker would skip its recovery.
  for (const mark of ['.kafka_cleanshutdown', '.kafka_cleanshutdown.tmp']) {
    if (existsSync(join(folder, mark))) rmSync(join(folder, mark));
  }
  return next;
}

/**
 * Kafka's record batches: base offset (8 bytes), length of the rest (4), …, last offset's delta (at 23, 4).
 */
function keptOf(segment: Buffer, base: number, end: number): { size: number; next: number } {
  let size = 0;
  let next = base;
  while (size + 27 <= segment.length) {
    const length = segment.readInt32BE(size + 8);
    const last = Number(segment.readBigInt64BE(size)) + segment.readInt32BE(size + 23);
    if (length <= 0 || last >= end) break;
    size += 12 + length;
    next = last + 1;
  }
  return { size, next };
}
