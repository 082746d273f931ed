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

/** How the uploads of a website ended in the last 24 clock hours, the present one included. */
export interface RecentUploads {
  readonly counts: UploadCounts;
  /** Null: nothing that had a good key arrived. */
  readonly last: UploadOutcome | null;
  readonly lastRejection: LineRejection | null;
  /** When the last upload with accepted lines ended, or a later one, in milliseconds since the epoch. Null: no line was accepted. */
  readonly lastAcceptedAt: number | null;
  /** The last that was read as a source. */
  readonly lastRead: UploadOutcome | null;
}

export interface KnownUploads {
  /** Takes in what ingest told; in any order, and again, which changes nothing. */
  merge(record: UploadsRecord, now: number): void;
  recent(websiteId: string, now: number): RecentUploads;
}

/** What one replica of ingest saw in one hour. */
interface Cell extends RecentUploads {
  readonly hourStart: number;
}

const nothing: RecentUploads = {
  counts: noUploads,
  last: null,
  lastRejection: null,
  lastAcceptedAt: null,
  lastRead: null,
};
const KEPT_MS = DAY_MS;

/** Memory grows with the websites that send, the replicas of ingest and 24 hours. */
export function createKnownUploads(): KnownUploads {
  const websites = new Map<string, Map<string, Cell>>();
  let sweptFor = 0;

  const isKept = (hourStart: number, now: number) => hourStart > now - KEPT_MS;

  function sweep(now: number): void {
    if (hourStartOf(now) < sweptFor + HOUR_MS) return;
    sweptFor = hourStartOf(now);
    for (const [websiteId, cells] of websites) {
      for (const [key, { hourStart }] of cells) if (!isKept(hourStart, now)) cells.delete(key);
      if (cells.size === 0) websites.delete(websiteId);
    }
  }

  return {
    merge({ replicaId, websites: told }, now) {
      sweep(now);
      for (const { websiteId, hourStart, counts, last, lastRejection } of told) {
        if (!isKept(hourStart, now)) continue;
        const cells = websites.get(websiteId) ?? new Map<string, Cell>();
        websites.set(websiteId, cells);
        const key = `${hourStart} ${replicaId}`;
        const { counts: known, ...events } = cells.get(key) ?? nothing;
        cells.set(key, {
          hourStart,
          counts: laterUploads(known, counts),
          last: laterOf(events.last, last),
          lastRejection: laterOf(events.lastRejection, lastRejection),
          lastAcceptedAt:
            counts.accepted > known.accepted
              ? laterTime(events.lastAcceptedAt, last.at)
              : events.lastAcceptedAt,
          lastRead: laterOf(events.lastRead, last.source === null ? null : last),
        });
      }
    },

    recent(websiteId, now) {
      let sum = nothing;
      for (const { hourStart, ...cell } of websites.get(websiteId)?.values() ?? []) {
        if (!isKept(hourStart, now)) continue;
        sum = {
          counts: addUploads(sum.counts, cell.counts),
          last: laterOf(sum.last, cell.last),
          lastRejection: laterOf(sum.lastRejection, cell.lastRejection),
          lastAcceptedAt: laterTime(sum.lastAcceptedAt, cell.lastAcceptedAt),
          lastRead: laterOf(sum.lastRead, cell.lastRead),
        };
      }
      return sum;
    },
  };
}

function laterTime(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
