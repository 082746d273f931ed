import { PublicError } from '../../../shared/errors.js';
import { nextHourOf } from '../../../shared/usage/clock-hour.js';
import type { UsageCounter } from '../../../shared/usage/usage-counter.js';
import type { IngestKeyOwner } from './authenticate.js';

/**
 * What a website may send in a clock hour by its plan (shared/control/domain/plans.ts), over all replicas. An upload that has begun
 * goes on when the hour's quota ends, since what is cut off midway is sent again as a whole; the next one is refused. Two
 * things end it all the same: it alone holds more than an hour's quota, so that no hour will ever take it; or the website is
 * at twice its quota, because many large ones began at once.
 */

export interface Quotas {
  /** @throws PublicError (503 until the next hour: shippers drop a batch on 429) where an upload may not begin. */
  refuseBeyond(owner: IngestKeyOwner): void;
  meter(owner: IngestKeyOwner): Meter;
}

/** Counts one upload. */
export interface Meter {
  /**
   * @param rows that the log has of the upload so far; those with many different texts count as more
   * @param bytes of it so far, after decompression
   * @throws PublicError (413, 503) where the upload may not go on
   */
  count(rows: number, bytes: number): void;
  /** The last count, whatever became of the upload. */
  end(rows: number, bytes: number): void;
}

const KIB = 1024;
/** How far uploads that have begun may go beyond the quota. */
const MOST_BEYOND = 2;

export function createQuotas({ usage, now }: { usage: UsageCounter; now: () => number }): Quotas {
  function used({ websiteId }: IngestKeyOwner): { rows: number; bytes: number } {
    const at = now();
    return {
      rows: usage.used(websiteId, 'ingest_rows', at),
      bytes: usage.used(websiteId, 'ingest_kib', at) * KIB,
    };
  }

  function refuse(owner: IngestKeyOwner, times: number): void {
    const { rows, bytes } = used(owner);
    const { rowsPerHour, bytesPerHour } = owner.plan;
    if (rows >= times * rowsPerHour) throw beyond(`${rowsPerHour} rows`, 'quota_rows', now());
    if (bytes >= times * bytesPerHour) throw beyond(`${bytesPerHour} bytes`, 'quota_bytes', now());
  }

  return {
    refuseBeyond: (owner) => refuse(owner, 1),

    meter(owner) {
      let counted = { rows: 0, kib: 0 };
      function take(rows: number, kib: number): void {
        const at = now();
        if (rows > counted.rows) usage.take(owner.websiteId, 'ingest_rows', at, rows - counted.rows);
        if (kib > counted.kib) usage.take(owner.websiteId, 'ingest_kib', at, kib - counted.kib);
        counted = { rows, kib };
      }
      return {
        count(rows, bytes) {
          take(rows, Math.floor(bytes / KIB));
          const { rowsPerHour, bytesPerHour } = owner.plan;
          if (rows > rowsPerHour || bytes > bytesPerHour) throw neverFits(owner.plan, now());
          refuse(owner, MOST_BEYOND);
        },
        end: (rows, bytes) => take(rows, Math.ceil(bytes / KIB)),
      };
    },
  };
}

function beyond(quota: string, reason: string, now: number): PublicError {
  const next = nextHourOf(now);
  return new PublicError(
    'unavailable',
    `The website's quota of ${quota} an hour is used up; the next hour begins at ${new Date(next.at).toISOString()}. Send the upload again then.`,
    { retryAfterSeconds: next.inSeconds, fields: { reason, reset_at: new Date(next.at).toISOString() } },
  );
}

function neverFits({ rowsPerHour, bytesPerHour }: IngestKeyOwner['plan'], now: number): PublicError {
  const resetAt = new Date(nextHourOf(now).at).toISOString();
  return new PublicError(
    'body_too_large',
    `The upload holds more than the plan takes in a whole hour (${rowsPerHour} rows, ${bytesPerHour} bytes). What was accepted of it is stored; send the rest from ${resetAt} on, in smaller uploads.`,
    { fields: { reason: 'larger_than_quota', reset_at: resetAt } },
  );
}
