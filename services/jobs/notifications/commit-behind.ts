import { MINUTE_MS } from '../../../shared/durations.js';
import type { Assignment } from '../runner/assignments.js';

/**
 * How long records stay uncommitted after what they led to was stored. The embedded store puts what it has written on the disk every few seconds
 * (STORE_SYNC_INTERVAL_MS), and the log at once: after a loss of power the records of the last minute are read again, and what was lost is put in again.
 */
const BEHIND_MS = MINUTE_MS;

/** Of each partition how far it was taken, and when. A restart in between takes records again, which changes nothing. */
export function createLateCommits(now: () => number) {
  const taken = new Map<Assignment, { readonly offset: number; readonly at: number }[]>();
  return {
    /** @param offset of the next record */
    add(assignment: Assignment, offset: number): void {
      const own = taken.get(assignment) ?? [];
      taken.set(assignment, own);
      own.push({ offset, at: now() });
    },
    /** @returns what may be committed by now, each once. */
    due(): { readonly partition: number; readonly offset: number }[] {
      const due: { partition: number; offset: number }[] = [];
      for (const [assignment, own] of taken) {
        if (assignment.leaving.signal.aborted) {
          taken.delete(assignment);
          continue;
        }
        const old = own.filter(({ at }) => now() - at >= BEHIND_MS);
        taken.set(assignment, own.slice(old.length));
        const last = old.at(-1);
        if (last !== undefined) due.push({ partition: assignment.partition, offset: last.offset });
      }
      return due;
    },
  };
}
