import { LRUCache } from 'lru-cache';
import { PublicError } from '../../../shared/errors.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';

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
/** Websites whose uploads are held back, those of late; one that is forgotten is let begin. */
const MOST_HELD_BACK = 20_000;

export function createByteRates({ bytesPerSecond, now, sleep }: ByteRateOptions): ByteRates {
  const buckets = createTokenBuckets({
    perSecond: bytesPerSecond,
    burst: bytesPerSecond * BURST_SECONDS,
    now,
  });
  /** Since when, milliseconds since the epoch. */
  const heldBack = new LRUCache<string, number>({ max: MOST_HELD_BACK });

  /** Between two chunks the bucket fills up for a moment: only a second's worth shows that less is sent. */
  function heldBackSince(websiteId: string): number | undefined {
    if (buckets.level(websiteId) >= bytesPerSecond) heldBack.delete(websiteId);
    return heldBack.get(websiteId);
  }

  return {
    async pass(websiteId, bytes) {
      const since = heldBackSince(websiteId);
      const ms = buckets.spend(websiteId, bytes);
      if (ms === 0) return;
      if (since === undefined) heldBack.set(websiteId, now());
      await sleep(ms);
    },
    refuseWhileHeldBack(websiteId) {
      const since = heldBackSince(websiteId);
      if (since === undefined || now() - since < HELD_BACK_MS) return;
      throw new PublicError(
        'unavailable',
        `The website's uploads bring more than ${bytesPerSecond} bytes a second; send the upload again later.`,
        { retryAfterSeconds: RETRY_SECONDS, fields: { reason: 'bytes_a_second' } },
      );
    },
  };
}
