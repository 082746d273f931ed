import { LRUCache } from 'lru-cache';

/** Tokens that come in at a steady rate, up to a bound. */

interface Rate {
  readonly perSecond: number;
  /** Most tokens saved up; a bucket begins full. */
  readonly burst: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface TokenBucket {
  /** Milliseconds until there is a token; 0 where there is one. */
  wait(): number;
  /** Takes one; to be called where `wait` says 0. */
  take(): void;
}

export function createTokenBucket({ perSecond, burst, now }: Rate): TokenBucket {
  let tokens = burst;
  let filledAt = now();
  return {
    wait() {
      const at = now();
      tokens = Math.min(burst, tokens + (Math.max(0, at - filledAt) * perSecond) / 1000);
      filledAt = at;
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond);
    },
    take() {
      tokens -= 1;
    },
  };
}

/** Buckets of the websites that used theirs last; one that is forgotten begins full again. */
const WEBSITES_REMEMBERED = 20_000;

/** @returns true, and takes a token of the website, where it has one. */
export function createTokenBuckets(rate: Rate): (websiteId: string) => boolean {
  const buckets = new LRUCache<string, TokenBucket>({ max: WEBSITES_REMEMBERED });
  return (websiteId) => {
    let bucket = buckets.get(websiteId);
    if (bucket === undefined) {
      bucket = createTokenBucket(rate);
      buckets.set(websiteId, bucket);
    }
    if (bucket.wait() > 0) return false;
    bucket.take();
    return true;
  };
}
