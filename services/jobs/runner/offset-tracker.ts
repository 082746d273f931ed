/**
 * Says how far the records of a partition are done, where they end in any order: commits never pass one that is still under way, so that
 * it comes again after a restart.
 */
export interface OffsetTracker {
  begin(offset: number): void;
  /** @returns the offset to commit: everything before it is done. */
  end(offset: number): number;
}

/** Of one partition, while it is assigned. */
export function createOffsetTracker(): OffsetTracker {
  /** In the order in which they began, which is that of the offsets. */
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
