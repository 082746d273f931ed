import type { Commit } from '../../../shared/event-log/event-log.js';

/**
 * What the commits of the group `enricher-durable` say: everything before the offset is on the disk, in the table and in
 * every rollup; its metadata says when that was known. Pure.
 */

export interface Mark {
  /** The kernel's name for its run at that time; null: it has none. */
  readonly bootId: string | null;
  /** How often the store was repaired: part of every token since. */
  readonly epoch: number;
}

export type Commits = ReadonlyMap<number, Commit>;

export interface Stretch {
  readonly partition: number;
  readonly from: number;
  /** The first offset behind it. */
  readonly to: number;
}

export function checkpointCommit(offset: number, { bootId, epoch }: Mark): Commit {
  return { offset, metadata: JSON.stringify({ boot: bootId, epoch }) };
}

/** @throws SyntaxError where the metadata is not of {@link checkpointCommit}. */
function markOf({ metadata }: Commit): Mark {
  const { boot, epoch } = JSON.parse(metadata) as { boot: string | null; epoch: number };
  return { bootId: boot, epoch };
}

/**
 * Whether the kernel still has everything that was written before, since it ran on. The first start of all counts as such:
 * nothing is known to be lost. Where the kernel has no name for its run, no later one does.
 */
export function ranOn(checkpoints: Commits, bootId: string | null): boolean {
  return [...checkpoints.values()].every((commit) => bootId !== null && markOf(commit).bootId === bootId);
}

export function lastEpoch(checkpoints: Commits): number {
  return Math.max(0, ...[...checkpoints.values()].map((commit) => markOf(commit).epoch));
}

/**
 * What may have been inserted behind the checkpoints. A commit of the enricher with empty metadata says that nothing at or
 * behind its offset was planned; any other text is a plan, whose range lies before the log's end.
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
    // Never a row that the log does not hold any more.
    const from = Math.max(oldest, checkpoints.get(partition)?.offset ?? 0);
    const to = commit.metadata === '' ? commit.offset : next;
    if (to > from) stretches.push({ partition, from, to });
  }
  return stretches;
}
