import type { ClickHouseReader } from '../../../shared/clickhouse/client.js';
import { PublicError } from '../../../shared/errors.js';
import { createLimiter, type Leave } from '../../../shared/limiter.js';

/**
 * Everyday reads of one organisation at once: half of the sessions that the embedded engine has for them
 * (shared/clickhouse/embedded/engine-main.ts), so that another organisation finds one free. Two of them are enough to keep two
 * cores at work.
 */
const MOST_AT_ONCE = 2;
/** A call makes some ten reads: what an organisation has waiting is done before its callers give up. */
const WAITING = { total: 4_096, mostOfOwner: 256 };
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

/**
 * The reader as each organisation has it: beyond its share its reads wait for each other, and for nobody else's. Scans pass:
 * they have places of their own (slow-reads/slow-reads.ts), and go on without their caller, who fetches the answer later.
 * @returns a reader that throws PublicError (503) where too many reads of the organisation wait, or one waits too long.
 */
export function shareReads(
  reader: ClickHouseReader,
  { now, mostWaitMs = MOST_WAIT_MS }: ShareReadsOptions,
): ReaderOf {
  let meanMs = 0;
  const places = createLimiter({
    most: Number.POSITIVE_INFINITY,
    mostOfOwner: MOST_AT_ONCE,
    waiting: WAITING,
    full: tooMuch,
  });

  /** When what the organisation has waiting will be done, as its reads go now. */
  function tooMuch(organisationId: string): PublicError {
    const seconds = Math.ceil((places.waitingOf(organisationId) * meanMs) / MOST_AT_ONCE / 1000);
    return new PublicError('unavailable', 'Too many reads of your organisation wait; repeat the call.', {
      retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
    });
  }

  async function wait(organisationId: string, signal: AbortSignal | undefined): Promise<Leave> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooMuch(organisationId)), mostWaitMs);
    try {
      const end = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
      return await places.enter(organisationId, end);
    } finally {
      clearTimeout(timer);
    }
  }

  return (organisationId, signal) => ({
    async read(query) {
      if (query.scan !== undefined) return reader.read(query);
      signal?.throwIfAborted();
      const leave = places.tryEnter(organisationId) ?? (await wait(organisationId, signal));
      const started = now();
      try {
        return await reader.read(signal === undefined ? query : { ...query, signal });
      } finally {
        meanMs += WEIGHT * (Math.max(0, now() - started) - meanMs);
        leave();
      }
    },
  });
}
