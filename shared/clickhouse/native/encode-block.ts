import type { Column } from './column.js';
import { createTextBuffer, writeVarint } from './text-buffer.js';

/** One block of the Native format: the first `rows` rows of the columns, by name. */
export function encodeNativeBlock(columns: Readonly<Record<string, Column<never>>>, rows: number): Buffer {
  const names = Object.keys(columns);
  const head = Buffer.alloc(16);
  const end = writeVarint(head, writeVarint(head, 0, names.length), rows);
  const all: Buffer[] = [head.subarray(0, end)];
  for (const name of names) {
    const { type, parts } = columns[name]!.encode(rows);
    const title = createTextBuffer();
    title.add(name);
    title.add(type);
    all.push(title.bytes(), ...parts);
  }
  return Buffer.concat(all);
}
