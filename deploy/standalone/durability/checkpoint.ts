import type { Commit } from '../../../shared/event-log/event-log.js';

/**
 * Checkpoints are commits of the group `enricher-durable`: all rows before the offset are on disk, in the table and in
 * every rollup. The metadata contains the boot id and the number of repairs at that time. Pure.
 */

export interface Mark {
  /** The kernel's boot id at that time; null: unknown. */
  readonly bootId: string | null;
  /** Number of repairs of the store; it is part of every later token. */
  readonly epoch: number;
}

export type Commits = ReadonlyMap<number, Commit>;

export interface Stretch {
  readonly partition: number;
  readonly from: number;
  /** The first offset after the range. */
  readonly to: number;
}

export function checkpointCommit(offset: number, { bootId, epoch }: Mark): Commit {
  return { offset, metadata: JSON.stringify({ boot: bootId, epoch }) };
}

/** @throws SyntaxError if the metadata is not from {@link checkpointCommit}. */
function markOf({ metadata }: Commit): Mark {
  const { boot, epoch } = JSON.parse(metadata) as { boot: string | null; epoch: number };
  return { bootId: boot, epoch };
}

/**
 * Whether the kernel has kept running since the checkpoints, so all earlier writes are readable. True at the first start, since
 * no rows can be lost. Without a boot id, false at every later start.
 */
export function ranOn(checkpoints: Commits, bootId: string | null): boolean {
  return [...checkpoints.values()].every((commit) => bootId !== null && markOf(commit).bootId === bootId);
}

export function lastEpoch(checkpoints: Commits): number {
  return Math.max(0, ...[...checkpoints.values()].map((commit) => markOf(commit).epoch));
}

/**
 * Ranges that may have been inserted after the checkpoints. A commit of the enricher with empty metadata means that no range
 * from its offset on was planned. Any other metadata is a plan, whose range ends before the log's end.
 */
export function doubtful(
  checkpoints: Commits,
  enricher: Commits,
  extents: ReadonlyMap<number, { readonly oldest: number; readonly next: number }>,
): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [partition, { oldest, next }] of extents) {
    const commit = enricher.get(partition);
    if (commit === undefined) continue;
    // Excludes rows whose records the log has dropped.
    const from = Math.max(oldest, checkpoints.get(partition)?.offset ?? 0);
    const to = commit.metadata === '' ? commit.offset : next;
    if (to > from) stretches.push({ partition, from, to });
  }
  return stretches;
}
