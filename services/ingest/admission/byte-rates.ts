import { LRUCache } from 'lru-cache';
import { PublicError } from '../../../shared/errors.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';

/**
 * Limits the bytes per second of each website's uploads. Bytes count after decompression, because these cost. Above
 * the limit reading waits, so the sender sees a slow connection. If the delay continues, new uploads are refused.
 */

export interface ByteRates {
  /** Resolves when this many bytes of the website may pass. */
  waitForRate(websiteId: string, bytes: number): Promise<void>;
  /** @throws PublicError (503) if the website's uploads have been delayed for too long to start another one. */
  refuseWhileHeldBack(websiteId: string): void;
}

export interface ByteRateOptions {
  readonly bytesPerSecond: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Unused rate accumulates for this long, because batches come in bursts. */
const BURST_SECONDS = 4;
/** After uploads have been delayed for this long, new ones are refused. */
const HELD_BACK_MS = 5_000;
const RETRY_SECONDS = 5;
/** Most websites that are remembered as delayed; an evicted one may start uploads. */
const MOST_HELD_BACK = 20_000;

export function createByteRates({ bytesPerSecond, now, sleep }: ByteRateOptions): ByteRates {
  const buckets = createTokenBuckets({
    perSecond: bytesPerSecond,
    burst: bytesPerSecond * BURST_SECONDS,
    now,
  });
  /** Start of the delay, in milliseconds since the epoch. */
  const heldBack = new LRUCache<string, number>({ max: MOST_HELD_BACK });

  /** The bucket also fills a little between two chunks. Only a level of one second shows that the sender sends less. */
  function heldBackSince(websiteId: string): number | undefined {
    if (buckets.level(websiteId) >= bytesPerSecond) heldBack.delete(websiteId);
    return heldBack.get(websiteId);
  }

  return {
    async waitForRate(websiteId, bytes) {
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
        `The website's uploads exceed ${bytesPerSecond} bytes a second; send the upload again later.`,
        { retryAfterSeconds: RETRY_SECONDS, fields: { reason: 'bytes_a_second' } },
      );
    },
  };
}
