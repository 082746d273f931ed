import { LRUCache } from 'lru-cache';

/**
 * A rate limit by key (a website): tokens arrive at a steady rate up to a bound, and a bucket begins full. For a limit
 * shared by all callers the key is ''.
 */
export interface TokenBuckets {
  /** Takes the tokens if the bucket has them. @returns false, without taking any, if it has fewer. */
  take(key: string, tokens?: number): boolean;
  /** Always takes the tokens: missing ones become a debt. @returns milliseconds until the debt is paid; 0: no debt. */
  spend(key: string, tokens: number): number;
  /** Milliseconds until the bucket has one token; 0 if it has one. */
  delayMs(key: string): number;
  /** Tokens in the bucket; negative: a debt. */
  level(key: string): number;
}

export interface Rate {
  readonly perSecond: number;
  /** Capacity of a bucket. */
  readonly burst: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Most buckets in memory (least recently used are evicted). An evicted bucket begins full again. */
  readonly mostKeys?: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const MOST_KEYS = 20_000;

export function createTokenBuckets({ perSecond, burst, now, mostKeys = MOST_KEYS }: Rate): TokenBuckets {
  const buckets = new LRUCache<string, Bucket>({ max: mostKeys });

  function filled(key: string): Bucket {
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: burst, filledAt: at };
    // A clock set back adds no tokens.
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.filledAt) * perSecond) / 1_000);
    bucket.filledAt = at;
    buckets.set(key, bucket);
    return bucket;
  }

  const millisecondsOf = (tokens: number) => Math.max(0, Math.ceil((tokens * 1_000) / perSecond));

  return {
    take(key, tokens = 1) {
      const bucket = filled(key);
      if (bucket.tokens < tokens) return false;
      bucket.tokens -= tokens;
      return true;
    },
    spend(key, tokens) {
      const bucket = filled(key);
      bucket.tokens -= tokens;
      return millisecondsOf(-bucket.tokens);
    },
    delayMs: (key) => millisecondsOf(1 - filled(key).tokens),
    level: (key) => filled(key).tokens,
  };
}
