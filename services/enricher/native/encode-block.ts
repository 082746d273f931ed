import type { Encoded } from './column.js';
import { createTextBuffer, writeVarint } from './text-buffer.js';

/**
 * A block of the Native format, in pieces.
 * @param columns in the order of the insert; each is encoded on demand
 */
export function* encodeNativeBlock(
  columns: ReadonlyMap<string, () => Encoded>,
  rows: number,
): Generator<Buffer, void, undefined> {
  const head = Buffer.alloc(16);
  const end = writeVarint(head, writeVarint(head, 0, columns.size), rows);
  yield head.subarray(0, end);
  for (const [name, encode] of columns) {
    const { type, parts } = encode();
    const title = createTextBuffer();
    title.add(name);
    title.add(type);
    yield title.bytes();
    yield* parts;
  }
}
