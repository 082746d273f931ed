/**
 * Tracks the processed records of a partition, which may end in any order. Commits never pass a record that is under way, so it is read again after
 * a restart.
 */
export interface OffsetTracker {
  begin(offset: number): void;
  /** @returns the offset to commit: all records before it are done */
  end(offset: number): number;
}

/** For one partition while it is assigned. */
export function createOffsetTracker(): OffsetTracker {
  /** In the order of their start, which is the order of offsets. */
  const open = new Set<number>();
  let next = 0;
  return {
    begin(offset) {
      open.add(offset);
      next = offset + 1;
    },
    end(offset) {
      open.delete(offset);
      for (const oldest of open) return oldest;
      return next;
    },
  };
}
