import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { PlaceTable } from './place-table.js';

/**
 * To be raised with each change of what a table is, and of what city-file.ts makes of a record: a table that another version kept is
 * made anew.
 */
const FORMAT = 1;
/** At the end of the file: the CRC-32 of all bytes before it. */
const CHECKSUM_BYTES = 4;

interface Kept {
  readonly format: number;
  readonly table: PlaceTable;
}

/**
 * The table that the file `kept` holds; else what `make` returns, which is kept for the next time where its folder can be written.
 * @throws Error that `make` threw
 */
export function keepPlaceTable(kept: string, make: () => PlaceTable): PlaceTable {
  const known = readKept(kept);
  if (known !== null) return known;
  const table = make();
  try {
    writeKept(kept, table);
  } catch {
    // The folder can't be written, or the disk is full: this start has its table, and the next makes its own.
  }
  return table;
}

/** Null where there is none, or one that is damaged or of another version. */
function readKept(kept: string): PlaceTable | null {
  try {
    const file = readFileSync(kept);
    const end = file.length - CHECKSUM_BYTES;
    if (crc32(file.subarray(0, end)) !== file.readUInt32LE(end)) return null;
    const { format, table } = deserialize(file.subarray(0, end)) as Kept;
    return format === FORMAT ? (copyArrays(table) as PlaceTable) : null;
  } catch {
    return null;
  }
}

/** What is read are views of the file's bytes, which would all stay in memory for one that had to be copied. */
function copyArrays(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice();
  const entries = Object.entries(value as object).map(([name, part]) => [name, copyArrays(part)]);
  return Object.fromEntries(entries);
}

/** Several processes may do so at once: each gives the name to a whole file of its own. */
function writeKept(kept: string, table: PlaceTable): void {
  const folder = dirname(kept);
  const own = `${kept}.${randomUUID()}`;
  mkdirSync(folder, { recursive: true });
  try {
    const bytes = serialize({ format: FORMAT, table } satisfies Kept);
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(bytes));
    writeFileSync(own, Buffer.concat([bytes, checksum]), { flush: true });
    renameSync(own, kept);
  } finally {
    rmSync(own, { force: true });
  }
  // Of other versions, and of processes that were ended while they wrote. One that writes right now has its table all the same.
  for (const name of readdirSync(folder)) {
    if (name.startsWith('places-') && name !== basename(kept)) rmSync(join(folder, name), { force: true });
  }
}
