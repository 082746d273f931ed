import { partitionOf } from '../../../shared/event-log/partition-of.js';

/** A partition of a topic (`jobs`, `alerts`) while this replica owns it. A partition that is revoked and returns is another assignment. */
export interface Assignment {
  readonly partition: number;
  /** Whether the previous runs are known. Until then nothing starts, because every job would seem due. */
  isReady: boolean;
  /** Aborted when the partition is revoked. */
  readonly leaving: AbortController;
}

export type Assignments = ReturnType<typeof createAssignments>;

/** The partitions of a topic that this replica owns. @param partitions the number of all partitions */
export function createAssignments(partitions: number) {
  const assigned = new Map<number, Assignment>();
  let count = partitions;
  return {
    count: () => count,
    /** Changes the owners of websites. */
    setCount(partitionsNow: number): void {
      count = partitionsNow;
    },
    all: () => [...assigned.values()],
    of: (partition: number) => assigned.get(partition),
    /** The assignment of the website's partition; undefined: another replica owns it. */
    ofWebsite: (websiteId: string) => assigned.get(partitionOf(websiteId, count)),
    add(partition: number): Assignment {
      const assignment = { partition, isReady: false, leaving: new AbortController() };
      assigned.set(partition, assignment);
      return assignment;
    },
    /** @returns false if it was removed before; the partition may have returned meanwhile */
    remove(assignment: Assignment): boolean {
      if (assigned.get(assignment.partition) !== assignment) return false;
      assigned.delete(assignment.partition);
      assignment.leaving.abort();
      return true;
    },
  };
}
