import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { DAY_MS, SECOND_MS } from '../../../shared/durations.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { daysInWords } from '../../../shared/store/damaged-part.js';

/** A part that the engine could not read at its start and has detached: its rows are missing from all answers. */
export interface BrokenPart {
  readonly table: string;
  /** Days of its rows as a text; null: unknown. */
  readonly days: string | null;
  /** Path of the detached part. */
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

/** Renames the part with the engine's prefix for ignored parts, so later starts skip it. */
export function ignorePart({ path }: BrokenPart): void {
  renameSync(path, join(dirname(path), `ignored_${basename(path)}`));
}

/** Range of days from the part's minmax file; null if the file is unreadable, too. */
function rangeOf(path: string): { first: string; last: string } | null {
  try {
    const file = readdirSync(path).find((name) => /^minmax_\w+\.idx$/.test(name));
    if (file === undefined) return null;
    const bytes = readFileSync(join(path, file));
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const range = (first: number, last: number) => ({ first: day(first), last: day(last) });
    // The file has two values of DateTime64(3), DateTime or Date.
    if (bytes.length === 16) return range(Number(bytes.readBigInt64LE(0)), Number(bytes.readBigInt64LE(8)));
    if (bytes.length === 8)
      return range(bytes.readUInt32LE(0) * SECOND_MS, bytes.readUInt32LE(4) * SECOND_MS);
    if (bytes.length === 4) return range(bytes.readUInt16LE(0) * DAY_MS, bytes.readUInt16LE(2) * DAY_MS);
    return null;
  } catch {
    return null;
  }
}
