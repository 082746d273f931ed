import { Pool } from 'undici';
import { SECOND_MS } from '../../../../shared/durations.js';
import type { AnswerBody } from '../../../../shared/fetch/ask-once.js';
import { type Fetcher, type FetcherOptions, fetcherOver, guardOf } from '../../../../shared/fetch/fetcher.js';

/** Fetches with shared connections. */
export interface FetchSession {
  readonly fetch: Fetcher;
  /** Closes the connections; running fetches fail. */
  readonly close: () => void;
}

/** Connections per origin, and origins per session. A website has four origins, with `www.` and without. */
const MOST_CONNECTIONS = 8;
const MOST_ORIGINS = 16;
const KEPT_FOR_MS = 10 * SECOND_MS;

/** A discarded body is read up to this size to reuse the connection. */
const SMALL_BODY = 64 * 1024;
const SHORT_MS = SECOND_MS;

/** Reuses a connection if its last response was read to the end; otherwise closes it. */
function release(body: AnswerBody): void {
  if (body.readableEnded || body.destroyed) return;
  if (body.readableDidRead) body.destroy();
  else body.dump({ limit: SMALL_BODY, signal: AbortSignal.timeout(SHORT_MS) }).catch(() => {});
}

/**
 * Keeps the connections to an origin open for its next requests. An address is checked when it is connected to, so every request uses a connection
 * with a checked address. Certificates are not reported.
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
      // Running requests still get their responses.
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
