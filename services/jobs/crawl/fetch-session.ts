import { Pool } from 'undici';
import { SECOND_MS } from '../../../shared/durations.js';
import type { AnswerBody } from '../../../shared/fetch/ask-once.js';
import { type Fetcher, type FetcherOptions, fetcherOver, guardOf } from '../../../shared/fetch/fetcher.js';

/** Fetches that share their connections. */
export interface FetchSession {
  readonly fetch: Fetcher;
  /** Closes the connections; fetches that run end in an error. */
  readonly close: () => void;
}

/** Of one origin, and origins that connections are kept to: a website has four with `www.` and without. */
const MOST_CONNECTIONS = 8;
const MOST_ORIGINS = 16;
const KEPT_FOR_MS = 10 * SECOND_MS;

/** Of a body that nobody wants, so much is read for the sake of the connection. */
const SMALL_BODY = 64 * 1024;
const SHORT_MS = SECOND_MS;

/** A connection is as good as new when its last answer was read to the end; else it is closed. */
function release(body: AnswerBody): void {
  if (body.readableEnded || body.destroyed) return;
  if (body.readableDidRead) body.destroy();
  else body.dump({ limit: SMALL_BODY, signal: AbortSignal.timeout(SHORT_MS) }).catch(() => {});
}

/**
 * Keeps the connections to an origin open for its next requests. An address is checked when it is connected to, so every request goes over a connection
 * whose address was checked. Nothing is told of certificates.
 */
export function openFetchSession(options: FetcherOptions): FetchSession {
  const { idleMs, connector } = guardOf(options);
  const pools = new Map<string, Pool>();
  const end = (pool: Pool | undefined) => {
    pool?.destroy().catch(() => {});
  };
  function poolOf(origin: string): Pool {
    const known = pools.get(origin);
    if (known !== undefined) return known;
    const [oldest] = pools.keys();
    if (pools.size >= MOST_ORIGINS && oldest !== undefined) {
      // What runs over it is answered to its end.
      pools
        .get(oldest)
        ?.close()
        .catch(() => {});
      pools.delete(oldest);
    }
    const pool = new Pool(origin, {
      ...{ connect: connector, connections: MOST_CONNECTIONS, pipelining: 1 },
      ...{ headersTimeout: idleMs, bodyTimeout: idleMs, keepAliveTimeout: KEPT_FOR_MS },
    });
    pools.set(origin, pool);
    return pool;
  }
  return {
    fetch: fetcherOver(options, ({ origin }) => ({
      dispatcher: poolOf(origin),
      abort: () => {},
      release,
      certificateUntil: () => undefined,
    })),
    close() {
      for (const pool of pools.values()) end(pool);
      pools.clear();
    },
  };
}
