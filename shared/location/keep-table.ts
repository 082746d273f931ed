import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/**
 * A table that only changes with its package. `kept` is its file, whose name ends in `-<version of the package>.bin`.
 */
export interface KeptTable<Table> {
  readonly kept: string;
  /** Increase it with each change of the table's form or inputs: a cached table of another format is rebuilt. */
  readonly format: number;
  make(): Table;
}

/** CRC-32 of all earlier bytes, at the end of the file. */
const CHECKSUM_BYTES = 4;

/**
 * Returns the cached table, else builds it with `make` and caches it if the folder is writable.
 * @throws Error of `make`
 */
export function keepTable<Table extends object>({ kept, format, make }: KeptTable<Table>): Table {
  const known = readKept(kept, format);
  if (known !== null) return known as Table;
  const table = make();
  try {
    writeKept(kept, { format, table });
  } catch {
    // Folder not writable or disk full: the next start builds its own table.
  }
  return table;
}

/** Null if there is no file, or it is damaged or has another format. */
function readKept(kept: string, format: number): unknown {
  try {
    const file = readFileSync(kept);
    const end = file.length - CHECKSUM_BYTES;
    if (crc32(file.subarray(0, end)) !== file.readUInt32LE(end)) return null;
    const read = deserialize(file.subarray(0, end)) as { format: number; table: unknown };
    return read.format === format ? copyArrays(read.table) : null;
  } catch {
    return null;
  }
}

/**
 * Deserialised arrays are views of the file's bytes. Without copies, one remaining view would keep the whole file in
 * memory.
 */
function copyArrays(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice();
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, copyArrays(part)]);
  return Object.fromEntries(entries);
}

/** Safe for concurrent processes: each renames its own complete file. */
function writeKept(kept: string, content: object): void {
  const folder = dirname(kept);
  const own = `${kept}.${randomUUID()}`;
  mkdirSync(folder, { recursive: true });
  try {
    const bytes = serialize(content);
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(bytes));
    writeFileSync(own, Buffer.concat([bytes, checksum]), { flush: true });
    renameSync(own, kept);
  } finally {
    rmSync(own, { force: true });
  }
  const name = basename(kept);
  const prefix = name.slice(0, name.indexOf('-') + 1);
  // Removes files of other versions, and leftovers of killed processes. A process that is writing now still has its
  // table in memory.
  for (const other of readdirSync(folder)) {
    if (other.startsWith(prefix) && other !== name) rmSync(join(folder, other), { force: true });
  }
}
