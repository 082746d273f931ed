import { MINUTE_MS } from '../../../shared/durations.js';
import type { Assignment } from '../runner/assignments.js';

/**
 * How long records stay uncommitted after what they led to was stored. The embedded store puts what it has written on the disk every few seconds
 * (STORE_SYNC_INTERVAL_MS), and the log at once: after a loss of power the records of the last minute are read again, and what was lost is put in again.
 */
const BEHIND_MS = MINUTE_MS;

interface Taking {
  /** Offsets of the first records of batches that are not taken whole: nothing behind them is committed. */
  readonly open: Set<{ readonly from: number }>;
  taken: { readonly offset: number; readonly at: number }[];
}

/** Of each partition how far it was taken, and when. A restart in between takes records again, which changes nothing. */
export function createLateCommits(now: () => number) {
  const takings = new Map<Assignment, Taking>();
  return {
    /**
     * A batch is being taken; others may be before it has ended.
     * @param from offset of its first record. @returns what is to be called when it is taken, with the offset of the next record.
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
    /** @returns what may be committed by now, each once. */
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
