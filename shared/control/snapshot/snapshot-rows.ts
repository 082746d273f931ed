import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { insertRows } from '../../store/insert-rows.js';
import { inSnakeCase } from '../../store/stored-fields.js';

/** Snapshots of the control plane in the table `control_snapshots`, part by part. */

/** A start waits for each of these reads, so a hanging ClickHouse must not delay it for long. */
const READ_TIMEOUT_MS = 5_000;

const snapshot = z.object({
  fingerprint: z.string(),
  nextOffset: z.number(),
  lastDecision: z.string(),
  /** Number of parts; 0 if some are missing. */
  parts: z.number(),
  /** Since its last part was written. */
  ageSeconds: z.number(),
});
export type StoredSnapshot = Readonly<z.output<typeof snapshot>>;
/** Identifies a snapshot. */
export type SnapshotName = Pick<StoredSnapshot, 'fingerprint' | 'nextOffset' | 'lastDecision'>;

/** All snapshots, including incomplete ones and those of other fingerprints; newest first. */
export function listSnapshots(reader: ClickHouseReader): Promise<StoredSnapshot[]> {
  return reader.read({
    name: 'control_snapshots.list',
    sql: `SELECT fingerprint, next_offset AS nextOffset, last_decision AS lastDecision,
  if(uniqExact(part) = max(s.parts), max(s.parts), 0) AS parts, dateDiff('second', max(taken_at), now64(3)) AS ageSeconds
FROM control_snapshots AS s
GROUP BY fingerprint, next_offset, last_decision
ORDER BY max(taken_at) DESC, next_offset DESC`,
    params: {},
    row: snapshot,
    timeoutMs: READ_TIMEOUT_MS,
  });
}

/**
 * The contents of the parts `from` to `to` (exclusive), in order.
 * @throws Error if one of them is missing.
 */
export async function readSnapshotParts(
  reader: ClickHouseReader,
  { fingerprint, nextOffset, lastDecision }: SnapshotName,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<string[]> {
  const rows = await reader.read({
    name: 'control_snapshots.parts',
    sql: `SELECT content
FROM control_snapshots
WHERE fingerprint = {fingerprint: String} AND next_offset = {next_offset: UInt64}
  AND last_decision = {last_decision: String} AND part >= {from: UInt32} AND part < {to: UInt32}
ORDER BY part
LIMIT 1 BY part`,
    params: { fingerprint, next_offset: nextOffset, last_decision: lastDecision, from, to },
    row: z.object({ content: z.string() }),
    timeoutMs: READ_TIMEOUT_MS,
  });
  if (rows.length < to - from)
    throw new Error(`control_snapshots: parts of the snapshot at offset ${nextOffset} are gone`);
  return rows.map(({ content }) => content);
}

export interface SnapshotPart {
  readonly part: number;
  /** Total number, on the last part; 0 on the others. */
  readonly parts: number;
  readonly content: string;
}

/** An existing part, even another replica's, stays unchanged. */
export async function insertSnapshotPart(
  writer: ClickHouseWriter,
  { fingerprint, nextOffset, lastDecision }: SnapshotName,
  part: SnapshotPart,
): Promise<void> {
  await insertRows(writer, {
    table: 'control_snapshots',
    rows: [inSnakeCase({ fingerprint, nextOffset, lastDecision, ...part })],
    deduplicationToken: `control_snapshots/${fingerprint}/${nextOffset}/${lastDecision}/${part.part}`,
  });
}

/** Deletes a snapshot; idempotent. */
export async function dropSnapshot(
  writer: ClickHouseWriter,
  { fingerprint, nextOffset, lastDecision }: SnapshotName,
): Promise<void> {
  await writer.command(
    `ALTER TABLE control_snapshots
DROP PARTITION ({fingerprint: String}, {next_offset: UInt64}, {last_decision: String})`,
    { fingerprint, next_offset: nextOffset, last_decision: lastDecision },
  );
}
