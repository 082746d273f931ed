import { SECOND_MS } from '../durations.js';
import type { ChangesRecord } from './changes-codec.js';
import type { DataChange } from './data-change.js';

/** Longest time between two records of a writer: each shows that all earlier changes are in the log. */
const BEAT_MS = SECOND_MS;
/** More waiting changes count as a change of everything. */
const MOST_WAITING = 2_000;

/** The changes of this process that are not in the log yet. */
export interface UnsharedChanges {
  readonly writerId: string;
  /** Call this when the changes are readable, or may be. */
  add(changes: Iterable<DataChange>): void;
  /** The next record; null: none is due. @param last the process writes no more */
  next(last: boolean): ChangesRecord | null;
  markShared(record: ChangesRecord): void;
}

/** @param now milliseconds since the epoch */
export function createUnsharedChanges(writerId: string, now: () => number): UnsharedChanges {
  let waiting: DataChange[] = [];
  /** Sent, but not known to be in the log. */
  let sending: DataChange[] = [];
  let sharedAt = Number.NEGATIVE_INFINITY;
  let hasLeft = false;
  return {
    writerId,
    add(changes) {
      for (const change of changes) waiting.push(change);
      if (waiting.length > MOST_WAITING) waiting = distinct(waiting);
    },
    next(last) {
      if (hasLeft) return null;
      const sentAt = now();
      const isDue = last || waiting.length + sending.length > 0 || Math.abs(sentAt - sharedAt) >= BEAT_MS;
      if (!isDue) return null;
      sending = distinct([...sending, ...waiting]);
      waiting = [];
      return { writerId, sentAt, isLeaving: last, changes: sending };
    },
    markShared({ sentAt, isLeaving }) {
      sending = [];
      sharedAt = sentAt;
      hasLeft = isLeaving;
    },
  };
}

/** Without repetitions; if they are still too many, one change of everything. */
function distinct(changes: readonly DataChange[]): DataChange[] {
  const byText = new Map(changes.map((change) => [textOf(change), change]));
  return byText.size > MOST_WAITING ? [{ websiteId: null }] : [...byText.values()];
}

const textOf = ({ websiteId, firstHour, lastHour, keepsRows = false }: DataChange) =>
  `${websiteId}/${firstHour}/${lastHour}/${keepsRows}`;
