import { PublicError } from '../../../shared/errors.js';
import { nextHourOf } from '../../../shared/usage/clock-hour.js';
import type { UsageCounter } from '../../../shared/usage/usage-counter.js';
import type { IngestKeyOwner } from './authenticate.js';

/**
 * Counts a website's rows and bytes in a clock hour against its plan (shared/control/domain/plans.ts), over all
 * replicas. A running upload continues when the quota is used up, because its sender would repeat all of it; the next
 * one is refused. A running upload ends in two cases. It alone exceeds an hour's quota, so no hour can take it. Or
 * the website is at twice its quota, because many large uploads started at once.
 */

export interface Quotas {
  /** @throws PublicError (503 until the next hour, because shippers drop a batch on 429) if an upload may not start */
  refuseBeyond(owner: IngestKeyOwner): void;
  meter(owner: IngestKeyOwner): Meter;
}

/** Counts one upload. */
export interface Meter {
  /**
   * @param rows of the upload in the log so far; rows with many different texts count as more
   * @param bytes of the upload so far, after decompression
   * @throws PublicError (413, 503) if the upload may not continue
   */
  count(rows: number, bytes: number): void;
  /** The last count of the upload, also of a failed one. */
  end(rows: number, bytes: number): void;
}

const KIB = 1024;
/** Running uploads may use this many quotas. */
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
    `The upload exceeds the plan's limit for an hour (${rowsPerHour} rows, ${bytesPerHour} bytes). Its accepted requests are stored; send the rest from ${resetAt} on, in smaller uploads.`,
    { fields: { reason: 'larger_than_quota', reset_at: resetAt } },
  );
}
