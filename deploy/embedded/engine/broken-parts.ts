import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { DAY_MS, SECOND_MS } from '../../../shared/durations.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { daysInWords } from '../../../shared/store/damaged-part.js';

/** A part that the engine could not read at its start and put aside: its rows are in no answer. */
export interface BrokenPart {
  readonly table: string;
  /** In words, as far as known. */
  readonly days: string | null;
  /** Where it is now. */
  readonly path: string;
}

/** @throws as ClickHouseReader.read */
export async function readBrokenParts(reader: ClickHouseReader): Promise<BrokenPart[]> {
  const rows = await reader.read({
    name: 'store.broken_parts',
    sql: `SELECT table, ifNull(partition_id, '') AS partition, path FROM system.detached_parts
WHERE startsWith(reason, 'broken') ORDER BY table, path`,
    params: {},
    row: z.object({ table: z.string(), partition: z.string(), path: z.string() }),
  });
  return rows.map(({ table, partition, path }) => {
    const range = rangeOf(path);
    const days = daysInWords({ name: `${partition}_` }, range && { table, ...range });
    return { table, days, path: path.replace(/\/$/, '') };
  });
}

/** The engine's own name for parts that nobody waits for: later starts take no notice of them. */
export function ignorePart({ path }: BrokenPart): void {
  renameSync(path, join(dirname(path), `ignored_${basename(path)}`));
}

/** Of the part's own file of the least and greatest value; null where that can't be read either. */
function rangeOf(path: string): { first: string; last: string } | null {
  try {
    const file = readdirSync(path).find((name) => /^minmax_\w+\.idx$/.test(name));
    if (file === undefined) return null;
    const bytes = readFileSync(join(path, file));
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const range = (first: number, last: number) => ({ first: day(first), last: day(last) });
    // Two values of DateTime64(3), DateTime or Date.
    if (bytes.length === 16) return range(Number(bytes.readBigInt64LE(0)), Number(bytes.readBigInt64LE(8)));
    if (bytes.length === 8)
      return range(bytes.readUInt32LE(0) * SECOND_MS, bytes.readUInt32LE(4) * SECOND_MS);
    if (bytes.length === 4) return range(bytes.readUInt16LE(0) * DAY_MS, bytes.readUInt16LE(2) * DAY_MS);
    return null;
  } catch {
    return null;
  }
}
