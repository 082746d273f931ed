import type { Column } from './columns.js';
import { createTextBuffer, writeVarint } from './text-buffer.js';

/** One block of the Native format: the first `rows` rows of the columns, by name. */
export function encodeNativeBlock(columns: Readonly<Record<string, Column<never>>>, rows: number): Buffer {
  const names = Object.keys(columns);
  const head = Buffer.alloc(16);
  const end = writeVarint(head, writeVarint(head, 0, names.length), rows);
  const parts: Buffer[] = [head.subarray(0, end)];
  for (const name of names) {
    const column = columns[name] as Column<never>;
    const title = createTextBuffer();
    title.add(name);
    title.add(column.type);
    parts.push(title.bytes(), ...column.encode(rows));
  }
  return Buffer.concat(parts);
}
