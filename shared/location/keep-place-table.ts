import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PlaceTable } from './place-table.js';

/** To be raised with each change of what a table is: one that another version kept is made anew. */
const FORMAT = 1;

interface Kept {
  readonly format: number;
  readonly table: PlaceTable;
}

/** The table that the file `kept` holds; else what `make` returns, which is kept for the next time where its folder can be written. */
export function keepPlaceTable(kept: string, make: () => PlaceTable): PlaceTable {
  const known = readKept(kept);
  if (known !== null) return known;
  const table = make();
  writeKept(kept, table);
  return table;
}

/** Null where there is none, or one that this version can't read. */
function readKept(kept: string): PlaceTable | null {
  try {
    const { format, table } = deserialize(readFileSync(kept)) as Kept;
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
  const own = `${kept}.${process.pid}`;
  try {
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(own, serialize({ format: FORMAT, table } satisfies Kept), { flush: true });
    renameSync(own, kept);
  } catch {
    // The folder can't be written, or the disk is full: this start has its table, and the next makes its own.
    if (existsSync(own)) rmSync(own);
  }
}
