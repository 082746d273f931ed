import { partitionOf } from '../../../shared/event-log/partition-of.js';

/** A partition of a topic (`jobs`, `alerts`) while this replica has it. One that goes and comes back is another assignment. */
export interface Assignment {
  readonly partition: number;
  /** It is known what ran before. Until then nothing is begun, since everything would seem to be due. */
  isReady: boolean;
  /** Aborted when the partition is another replica's. */
  readonly leaving: AbortController;
}

export type Assignments = ReturnType<typeof createAssignments>;

/** The partitions of a topic that this replica has. @param partitions how many there are in all. */
export function createAssignments(partitions: number) {
  const assigned = new Map<number, Assignment>();
  let count = partitions;
  return {
    count: () => count,
    /** Websites change owners with it. */
    setCount(partitionsNow: number): void {
      count = partitionsNow;
    },
    all: () => [...assigned.values()],
    of: (partition: number) => assigned.get(partition),
    /** Of the website's partition; undefined where another replica has it. */
    ofWebsite: (websiteId: string) => assigned.get(partitionOf(websiteId, count)),
    add(partition: number): Assignment {
      const assignment = { partition, isReady: false, leaving: new AbortController() };
      assigned.set(partition, assignment);
      return assignment;
    },
    /** @returns false where it was removed before; the partition may have come back meanwhile. */
    remove(assignment: Assignment): boolean {
      if (assigned.get(assignment.partition) !== assignment) return false;
      assigned.delete(assignment.partition);
      assignment.leaving.abort();
      return true;
    },
  };
}
