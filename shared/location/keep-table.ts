import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/**
 * A table that is the same until its package changes. `kept` names its file, which ends in `-<version of the package>.bin`.
 */
export interface KeptTable<Table> {
  readonly kept: string;
  /** To be raised with each change of what a table is or is made of: a table of another format is made again. */
  readonly format: number;
  make(): Table;
}

/** At the end of the file: the CRC-32 of all bytes before it. */
const CHECKSUM_BYTES = 4;

/**
 * The table in the file; else the one that `make` returns, which is kept for the next time where its folder can be written.
 * @throws Error that `make` threw
 */
export function keepTable<Table extends object>({ kept, format, make }: KeptTable<Table>): Table {
  const known = readKept(kept, format);
  if (known !== null) return known as Table;
  const table = make();
  try {
    writeKept(kept, { format, table });
  } catch {
    // The folder can't be written, or the disk is full: this start has its table, and the next makes its own.
  }
  return table;
}

/** Null where there is none, or one that is damaged or of another format. */
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

/** The arrays that are read are views of the file's bytes, which would all stay in memory for one that had to be copied. */
function copyArrays(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice();
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, copyArrays(part)]);
  return Object.fromEntries(entries);
}

/** Several processes may do so at once: each gives the name to a whole file of its own. */
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
  // Of other versions, and of processes that were ended while they wrote. One that writes right now has its table all the same.
  for (const other of readdirSync(folder)) {
    if (other.startsWith(prefix) && other !== name) rmSync(join(folder, other), { force: true });
  }
}
