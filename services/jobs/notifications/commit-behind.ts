import { MINUTE_MS } from '../../../shared/durations.js';
import type { Assignment } from '../runner/assignments.js';

/**
 * How long records stay uncommitted after their messages were stored. The embedded store syncs to disk every few seconds (STORE_SYNC_INTERVAL_MS), the
 * log at once. After a power cut, the records of the last minute are read again and lost messages are queued again.
 */
const BEHIND_MS = MINUTE_MS;

interface Taking {
  /** First offsets of the batches in progress. No later offset is committed. */
  readonly open: Set<{ readonly from: number }>;
  taken: { readonly offset: number; readonly at: number }[];
}

/** Tracks for each partition which offsets were taken, and when. Taking records again after a restart changes nothing. */
export function createLateCommits(now: () => number) {
  const takings = new Map<Assignment, Taking>();
  return {
    /**
     * Begins a batch; batches of one partition may overlap.
     * @param from offset of its first record. @returns a function to call when the batch is taken, with the offset of the next record
     */
    begin(assignment: Assignment, from: number): (offset: number) => void {
      const own = takings.get(assignment) ?? { open: new Set(), taken: [] };
      takings.set(assignment, own);
      const batch = { from };
      own.open.add(batch);
      return (offset) => {
        own.open.delete(batch);
        own.taken.push({ offset, at: now() });
      };
    },
    /** @returns the offsets that may be committed now, each once */
    due(): { readonly partition: number; readonly offset: number }[] {
      const due: { partition: number; offset: number }[] = [];
      for (const [assignment, own] of takings) {
        if (assignment.leaving.signal.aborted) {
          takings.delete(assignment);
          continue;
        }
        const bound = Math.min(...[...own.open].map(({ from }) => from));
        const isDue = ({ offset, at }: { offset: number; at: number }) =>
          now() - at >= BEHIND_MS && offset <= bound;
        const offsets = own.taken.filter(isDue).map(({ offset }) => offset);
        own.taken = own.taken.filter((one) => !isDue(one));
        if (offsets.length > 0) due.push({ partition: assignment.partition, offset: Math.max(...offsets) });
      }
      return due;
    },
  };
}
