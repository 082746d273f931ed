import { HOUR_MS } from '../durations.js';
import { hourStartOf } from './clock-hour.js';
import type { UsageBucket } from './usage-bucket.js';

/**
 * Counts by subject (an organisation, a website), bucket and UTC clock hour, over all replicas. Each replica knows its
 * own count at once and those of the others from their records. A shared count is cumulative, and the larger of two is
 * valid. Records may therefore be repeated, late or reordered, and a later record replaces a lost one.
 */
export interface UsageCounter {
  /** Usage in the hour of `now`, of all replicas as far as known here. */
  used(subjectId: string, bucket: UsageBucket, now: number): number;
  /** Counts usage: one call, or `amount`. */
  take(subjectId: string, bucket: UsageBucket, now: number, amount?: number): void;
}

export interface SharedUsageCounter extends UsageCounter {
  /** Merges a record of another replica; own records change nothing. */
  merge(record: UsageRecord, now: number): void;
  /** This replica's counts that {@link markShared} has not confirmed; null if there are none. */
  unshared(): UsageRecord | null;
  /** Confirms that the other replicas will get this record. */
  markShared(record: UsageRecord): void;
}

export interface UsageRecord {
  /** Identifies one start of a process. A new start counts from 0, in addition to its predecessor's counts. */
  readonly replicaId: string;
  readonly counts: readonly UsageCount[];
}

export interface UsageCount {
  readonly subjectId: string;
  readonly bucket: UsageBucket;
  /** Milliseconds since the epoch, a full UTC hour. */
  readonly hourStart: number;
  /** Cumulative since `hourStart`; at most {@link MOST_COUNTED}. */
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

/** The neighbours of the present hour are kept, for unshared counts and small clock differences. */
const NEIGHBOUR_MS = HOUR_MS;
/** A count in a record is a 32-bit integer; every limit is lower. */
const MOST_COUNTED = 2 ** 31 - 1;

/**
 * Memory grows with subjects and replicas, not with time: the first call of a new hour drops old hours.
 * @param onGrown called synchronously for each count that grows, of any replica.
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
        // Later counts still have to be shared.
        if (entry?.own === count) unshared.delete(entry);
      }
    },
  };
}
