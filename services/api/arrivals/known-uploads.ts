import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import {
  addUploads,
  type LineRejection,
  laterOf,
  laterUploads,
  noUploads,
  type UploadCounts,
  type UploadOutcome,
} from '../../../shared/uploads/upload-outcome.js';
import type { UploadsRecord } from '../../../shared/uploads/uploads-codec.js';
import { hourStartOf } from '../../../shared/usage/clock-hour.js';

/** Results of a website's uploads in the last 24 clock hours, including the current one. */
export interface RecentUploads {
  readonly counts: UploadCounts;
  /** Null: no upload with a valid key arrived. */
  readonly last: UploadOutcome | null;
  readonly lastRejection: LineRejection | null;
  /** End of the last upload with accepted lines, or of a later one, in milliseconds since the epoch. Null: no line was accepted. */
  readonly lastAcceptedAt: number | null;
  /** The last upload with a recognised source. */
  readonly lastRead: UploadOutcome | null;
}

export interface KnownUploads {
  /** Adds a record of ingest. Order and repeats do not matter. */
  merge(record: UploadsRecord, now: number): void;
  recent(websiteId: string, now: number): RecentUploads;
}

/** The newest uploads of a website, of any hour and replica. */
type Newest = Omit<RecentUploads, 'counts'>;

/** Counts of one ingest replica in one hour, by website. */
interface Cell {
  readonly hourStart: number;
  readonly counts: Map<string, UploadCounts>;
}

const nothing: Newest = { last: null, lastRejection: null, lastAcceptedAt: null, lastRead: null };
const KEPT_MS = DAY_MS;

/**
 * Memory grows with the sending websites, the ingest replicas and 24 hours. Only counts are stored by hour: storing the newest uploads
 * of each hour as well would multiply the memory.
 */
export function createKnownUploads(): KnownUploads {
  const cells = new Map<string, Cell>();
  const newest = new Map<string, Newest>();
  let sweptFor = 0;

  const isKept = (hourStart: number, now: number) => hourStart > now - KEPT_MS;

  function sweep(now: number): void {
    if (hourStartOf(now) < sweptFor + HOUR_MS) return;
    sweptFor = hourStartOf(now);
    for (const [key, { hourStart }] of cells) if (!isKept(hourStart, now)) cells.delete(key);
    for (const [websiteId, { last }] of newest)
      if (last === null || !isKept(hourStartOf(last.at), now)) newest.delete(websiteId);
  }

  function cellOf(replicaId: string, hourStart: number): Cell {
    const key = `${hourStart} ${replicaId}`;
    const cell = cells.get(key) ?? { hourStart, counts: new Map() };
    cells.set(key, cell);
    return cell;
  }

  return {
    merge({ replicaId, websites }, now) {
      sweep(now);
      for (const { websiteId, hourStart, counts, last, lastRejection } of websites) {
        if (!isKept(hourStart, now)) continue;
        const cell = cellOf(replicaId, hourStart);
        const count = cell.counts.get(websiteId) ?? noUploads;
        cell.counts.set(websiteId, laterUploads(count, counts));
        const before = newest.get(websiteId) ?? nothing;
        newest.set(websiteId, {
          last: laterOf(before.last, last),
          lastRejection: laterOf(before.lastRejection, lastRejection),
          lastAcceptedAt:
            counts.accepted > count.accepted
              ? laterTime(before.lastAcceptedAt, last.at)
              : before.lastAcceptedAt,
          lastRead: laterOf(before.lastRead, last.source === null ? null : last),
        });
      }
    },

    recent(websiteId, now) {
      let counts = noUploads;
      for (const cell of cells.values())
        if (isKept(cell.hourStart, now)) counts = addUploads(counts, cell.counts.get(websiteId) ?? noUploads);
      const isRecent = (at: number) => isKept(hourStartOf(at), now);
      const ifRecent = <Event extends { readonly at: number }>(event: Event | null) =>
        event !== null && isRecent(event.at) ? event : null;
      const { last, lastRejection, lastAcceptedAt, lastRead } = newest.get(websiteId) ?? nothing;
      return {
        counts,
        last: ifRecent(last),
        lastRejection: ifRecent(lastRejection),
        lastAcceptedAt: lastAcceptedAt !== null && isRecent(lastAcceptedAt) ? lastAcceptedAt : null,
        lastRead: ifRecent(lastRead),
      };
    },
  };
}

function laterTime(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
