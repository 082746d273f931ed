import { PublicError } from '../../../shared/errors.js';
import { createLimiter, type Leave } from '../../../shared/pacing/limiter.js';
import { pause } from '../../../shared/pacing/pause.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';

/**
 * Everyday reads of one organisation at once: half of the sessions that the embedded engine has for them
 * (deploy/embedded/engine/engine-main.ts), so that another organisation finds one free. Two of them are enough to keep two
 * cores at work.
 */
const MOST_AT_ONCE = 2;
/** A call makes some ten reads: what an organisation has waiting is done before its callers give up. */
const WAITING = { total: 4_096, mostOfOwner: 256 };
/**
 * Characters of the store's answers that one organisation may have read a second, and at once. Reading and writing them takes this process's
 * one thread about 25 ms a million. An answer of 500 ordinary requests has 0.6 million.
 */
const CHARACTERS = { perSecond: 8_000_000, burst: 24_000_000 };
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
 * The reader as each organisation has it: beyond its share its reads wait for each other, and for nobody else's. Scans take no place here:
 * they have places of their own (slow-reads/slow-reads.ts), and go on without their caller, who fetches the answer later. The length of what
 * an organisation reads counts in both.
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

  const costs = createTokenBuckets({ ...CHARACTERS, now });
  const debtMsOf = (organisationId: string) => costs.spend(organisationId, 0);

  /** When what the organisation has waiting will be done, as its reads go now, and its debt paid. */
  function tooMuch(organisationId: string): PublicError {
    const waitingMs = (places.waitingOf(organisationId) * meanMs) / MOST_AT_ONCE;
    const seconds = Math.ceil((waitingMs + debtMsOf(organisationId)) / 1000);
    return new PublicError('unavailable', 'Too many reads of your organisation wait; repeat the call.', {
      retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
    });
  }

  /** Waits until the organisation has paid for the long answers that it read before. */
  async function pay(organisationId: string, signal = new AbortController().signal): Promise<void> {
    const debtMs = debtMsOf(organisationId);
    if (debtMs > mostWaitMs) throw tooMuch(organisationId);
    await pause(debtMs, signal);
    signal.throwIfAborted();
  }

  const charged = <Row>(organisationId: string, query: Query<Row>): Query<Row> => ({
    ...query,
    report(statistics) {
      costs.spend(organisationId, statistics.characters);
      query.report?.(statistics);
    },
  });

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
      const paidFor = charged(organisationId, query);
      if (query.scan !== undefined) {
        if (debtMsOf(organisationId) > 0) await pay(organisationId);
        return reader.read(paidFor);
      }
      signal?.throwIfAborted();
      const leave = places.tryEnter(organisationId) ?? (await wait(organisationId, signal));
      try {
        // The place is taken meanwhile: the organisation's other reads wait behind this one.
        if (debtMsOf(organisationId) > 0) await pay(organisationId, signal);
        const started = now();
        try {
          return await reader.read(signal === undefined ? paidFor : { ...paidFor, signal });
        } finally {
          meanMs += WEIGHT * (Math.max(0, now() - started) - meanMs);
        }
      } finally {
        leave();
      }
    },
  });
}
