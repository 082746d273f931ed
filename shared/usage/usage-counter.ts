import { HOUR_MS } from '../durations.js';
import { hourStartOf } from './clock-hour.js';
import type { UsageBucket } from './usage-bucket.js';

/**
 * Counts by subject (an organisation, a website), bucket and UTC clock hour, over all replicas. Each replica knows its own
 * count at once and those of the others from what they share. A shared count is cumulative and only grows, and of two
 * the larger holds: records may come twice, late, in any order, and a later one makes up for one that was lost.
 */
export interface UsageCounter {
  /** What was let through in the hour of `now`, by every replica as far as known here. */
  used(subjectId: string, bucket: UsageBucket, now: number): number;
  /** Counts what was let through: one call, or `amount` of what the bucket counts. */
  take(subjectId: string, bucket: UsageBucket, now: number, amount?: number): void;
}

export interface SharedUsageCounter extends UsageCounter {
  /** Takes in what another replica has shared; this one's own records change nothing. */
  merge(record: UsageRecord, now: number): void;
  /** This replica's counts that {@link markShared} does not know of; null where there is none. */
  unshared(): UsageRecord | null;
  /** The other replicas will get this record. */
  markShared(record: UsageRecord): void;
}

export interface UsageRecord {
  /** Of one start of a process: one that starts again begins at 0, beside what its predecessor has shared. */
  readonly replicaId: string;
  readonly counts: readonly UsageCount[];
}

export interface UsageCount {
  readonly subjectId: string;
  readonly bucket: UsageBucket;
  /** Milliseconds since the epoch, a full UTC hour. */
  readonly hourStart: number;
  /** Since `hourStart`; at most {@link MOST_COUNTED}. */
  readonly count: number;
}

interface Entry {
  readonly subjectId: string;
  readonly bucket: UsageBucket;
  readonly hourStart: number;
  own: number;
  readonly others: Map<string, number>;
  total: number;
}

/** Beside the present hour its neighbours are kept: for what is not shared yet, and for clocks that differ a little. */
const NEIGHBOUR_MS = HOUR_MS;
/** A count is a 32-bit integer on the wire; no limit is as high. */
const MOST_COUNTED = 2 ** 31 - 1;

/**
 * Memory grows with subjects and replicas, not with time: hours gone by are forgotten at the first call of a new one.
 * @param onGrown called at once for each count that is larger than was known here, whichever replica counted.
 */
export function createUsageCounter(
  replicaId: string,
  onGrown: (subjectId: string, bucket: UsageBucket) => void = () => {},
): SharedUsageCounter {
  const hours = new Map<number, Map<string, Entry>>();
  const unshared = new Set<Entry>();
  let present = Number.NaN;

  const isKept = (hourStart: number) => Math.abs(hourStart - present) <= NEIGHBOUR_MS;

  function moveTo(now: number): void {
    const hourStart = hourStartOf(now);
    if (hourStart === present) return;
    present = hourStart;
    for (const each of hours.keys()) if (!isKept(each)) hours.delete(each);
    for (const entry of unshared) if (!isKept(entry.hourStart)) unshared.delete(entry);
  }

  function find({ subjectId, bucket, hourStart }: Omit<UsageCount, 'count'>): Entry | undefined {
    return hours.get(hourStart)?.get(`${bucket} ${subjectId}`);
  }

  function findOrMake(at: Omit<UsageCount, 'count'>): Entry {
    const known = find(at);
    if (known !== undefined) return known;
    const { subjectId, bucket, hourStart } = at;
    const entry = { subjectId, bucket, hourStart, own: 0, others: new Map(), total: 0 };
    const entries = hours.get(hourStart) ?? new Map<string, Entry>();
    hours.set(hourStart, entries.set(`${bucket} ${subjectId}`, entry));
    return entry;
  }

  return {
    used(subjectId, bucket, now) {
      moveTo(now);
      return find({ subjectId, bucket, hourStart: present })?.total ?? 0;
    },

    take(subjectId, bucket, now, amount = 1) {
      moveTo(now);
      const entry = findOrMake({ subjectId, bucket, hourStart: present });
      const taken = Math.min(amount, MOST_COUNTED - entry.own);
      entry.own += taken;
      entry.total += taken;
      unshared.add(entry);
      onGrown(subjectId, bucket);
    },

    merge({ replicaId: sender, counts }, now) {
      moveTo(now);
      if (sender === replicaId) return;
      for (const { count, ...at } of counts) {
        if (!isKept(at.hourStart)) continue;
        const entry = findOrMake(at);
        const known = entry.others.get(sender) ?? 0;
        if (count <= known) continue;
        entry.others.set(sender, count);
        entry.total += count - known;
        onGrown(at.subjectId, at.bucket);
      }
    },

    unshared() {
      if (unshared.size === 0) return null;
      const counts = [...unshared].map(({ subjectId, bucket, hourStart, own }) => {
        return { subjectId, bucket, hourStart, count: own };
      });
      return { replicaId, counts };
    },

    markShared({ counts }) {
      for (const { count, ...at } of counts) {
        const entry = find(at);
        // What was counted since is still to be shared.
        if (entry?.own === count) unshared.delete(entry);
      }
    },
  };
}
