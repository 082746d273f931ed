import { PublicError } from '../../../shared/errors.js';

/**
 * A bound on the bytes (after decompression: they are what costs) that each website's uploads may bring a second. Past it
 * reading waits, which the sender feels as a slow connection; where that goes on, new uploads are sent away for a while.
 */

export interface ByteRates {
  /** Resolves when so many bytes of the website may go on. */
  pass(websiteId: string, bytes: number): Promise<void>;
  /** @throws PublicError (503) where the website's uploads have been held back for too long to begin another one. */
  refuseWhileHeldBack(websiteId: string): void;
}

export interface ByteRateOptions {
  readonly bytesPerSecond: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What was not used is kept for so long: batches come in bursts. */
const BURST_SECONDS = 4;
/** Uploads under way are held back; after this long new ones are refused. */
const HELD_BACK_MS = 5_000;
const RETRY_SECONDS = 5;
/** Websites above which those whose bucket is full again are forgotten. */
const SWEEP_ABOVE = 1_000;

interface Bucket {
  /** Bytes that may still go on; below 0: what has to be waited for. */
  level: number;
  at: number;
  heldBackSince: number | null;
}

export function createByteRates({ bytesPerSecond, now, sleep }: ByteRateOptions): ByteRates {
  const full = bytesPerSecond * BURST_SECONDS;
  const buckets = new Map<string, Bucket>();
  let sweepAbove = SWEEP_ABOVE;

  function refill(bucket: Bucket): void {
    const at = now();
    bucket.level = Math.min(full, bucket.level + (Math.max(0, at - bucket.at) / 1_000) * bytesPerSecond);
    bucket.at = at;
    // Between two chunks the bucket fills up for a moment: only a second's worth shows that less is sent.
    if (bucket.level >= bytesPerSecond) bucket.heldBackSince = null;
  }

  function bucketOf(websiteId: string): Bucket {
    const known = buckets.get(websiteId);
    if (known !== undefined) {
      refill(known);
      return known;
    }
    if (buckets.size >= sweepAbove) sweep();
    const bucket = { level: full, at: now(), heldBackSince: null };
    buckets.set(websiteId, bucket);
    return bucket;
  }

  function sweep(): void {
    for (const [websiteId, bucket] of buckets) {
      refill(bucket);
      if (bucket.level >= full) buckets.delete(websiteId);
    }
    sweepAbove = Math.max(SWEEP_ABOVE, 2 * buckets.size);
  }

  return {
    async pass(websiteId, bytes) {
      const bucket = bucketOf(websiteId);
      bucket.level -= bytes;
      if (bucket.level >= 0) return;
      bucket.heldBackSince ??= bucket.at;
      await sleep((-bucket.level / bytesPerSecond) * 1_000);
    },
    refuseWhileHeldBack(websiteId) {
      const bucket = buckets.get(websiteId);
      if (bucket === undefined || bucket.heldBackSince === null) return;
      const since = bucket.heldBackSince;
      refill(bucket);
      if (bucket.heldBackSince === null || bucket.at - since < HELD_BACK_MS) return;
      throw new PublicError(
        'unavailable',
        `The website's uploads bring more than ${bytesPerSecond} bytes a second; send the upload again later.`,
        { retryAfterSeconds: RETRY_SECONDS, fields: { reason: 'bytes_a_second' } },
      );
    },
  };
}
