import { setMaxListeners } from 'node:events';
import type { ClickHouseReader } from '../../../shared/clickhouse/client.js';
import { createCounter } from '../../../shared/counter.js';
import { PublicError } from '../../../shared/errors.js';
import { createFairQueue, shareOf } from '../../../shared/fair-queue.js';

/**
 * Everyday reads of one organisation at once: half of the sessions that the embedded engine has for them
 * (shared/clickhouse/embedded/engine-main.ts), so that another organisation finds one free. Two of them are enough to keep two
 * cores at work.
 */
const MOST_AT_ONCE = 2;
/** A call makes some ten reads: what an organisation has waiting is done before its callers give up. */
const MOST_WAITING = 256;
/** Of all organisations, before shares shrink (shared/fair-queue.ts). */
const TOTAL_WAITING = 4_096;
/** A caller that has waited so long for its turn alone is better told than kept: most clients give up at 30 seconds. */
const MOST_WAIT_MS = 10_000;
const LONGEST_RETRY_SECONDS = 60;
/** Of the newest read in the mean of how long reads take. */
const WEIGHT = 0.1;

export interface ShareReadsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly mostWaitMs?: number;
}

/** The reader of one call. @param signal aborted when nobody waits for what it reads: it ends what waits and what runs. */
export type ReaderOf = (organisationId: string, signal?: AbortSignal) => ClickHouseReader;

interface Waiting {
  readonly go: () => void;
  /** Its caller has gone, or was told to come again. */
  left: boolean;
}

/**
 * The reader as each organisation has it: beyond its share its reads wait for each other, and for nobody else's. Scans pass:
 * they have places of their own (slow-reads/scan-places.ts), and go on without their caller, who fetches the answer later.
 * @returns a reader that throws PublicError (503) where too many reads of the organisation wait, or one waits too long.
 */
export function shareReads(
  reader: ClickHouseReader,
  { now, mostWaitMs = MOST_WAIT_MS }: ShareReadsOptions,
): ReaderOf {
  const running = createCounter();
  const waitingOf = createCounter();
  const waiting = createFairQueue<Waiting>({
    total: Number.POSITIVE_INFINITY,
    mostOfOwner: Number.POSITIVE_INFINITY,
    isLive: ({ left }) => !left,
  });
  let meanMs = 0;
  const mayRun = (organisationId: string) => running.of(organisationId) < MOST_AT_ONCE;

  function admit(): void {
    for (let next = waiting.take(mayRun); next !== null; next = waiting.take(mayRun)) {
      running.add(next.owner, 1);
      next.item.go();
    }
  }

  /** When what the organisation has waiting will be done, as its reads go now. */
  function tooMuch(organisationId: string): PublicError {
    const seconds = Math.ceil((waitingOf.of(organisationId) * meanMs) / MOST_AT_ONCE / 1000);
    return new PublicError('unavailable', 'Too many reads of your organisation wait; repeat the call.', {
      retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
    });
  }

  function hasRoom(organisationId: string): boolean {
    const own = waitingOf.of(organisationId);
    const organisations = waitingOf.keys() + (own === 0 ? 1 : 0);
    return own < shareOf({ total: TOTAL_WAITING, mostOfOwner: MOST_WAITING }, organisations);
  }

  function wait(organisationId: string, signal: AbortSignal | undefined): Promise<void> {
    if (!hasRoom(organisationId)) return Promise.reject(tooMuch(organisationId));
    waitingOf.add(organisationId, 1);
    return new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        left: false,
        go() {
          settle();
          resolve();
        },
      };
      const leave = (error: unknown) => {
        one.left = true;
        reject(error);
        settle();
      };
      const onAbort = () => leave(signal?.reason);
      const timer = setTimeout(() => leave(tooMuch(organisationId)), mostWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        waitingOf.add(organisationId, -1);
      };
      // One for each read of the call that waits.
      if (signal !== undefined) setMaxListeners(0, signal);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.add(organisationId, one);
    });
  }

  return (organisationId, signal) => ({
    async read(query) {
      if (query.scan !== undefined) return reader.read(query);
      signal?.throwIfAborted();
      if (mayRun(organisationId)) running.add(organisationId, 1);
      else await wait(organisationId, signal);
      const started = now();
      try {
        return await reader.read(signal === undefined ? query : { ...query, signal });
      } finally {
        meanMs += WEIGHT * (Math.max(0, now() - started) - meanMs);
        running.add(organisationId, -1);
        admit();
      }
    },
  });
}
