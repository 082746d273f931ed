import { PublicError } from '../../../shared/errors.js';
import { createLimiter, type Leave } from '../../../shared/pacing/limiter.js';
import { pause } from '../../../shared/pacing/pause.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';
import type { ClickHouseReader, Query } from '../../../shared/store/client.js';

/**
 * Concurrent everyday reads of one organisation. The embedded engine has six sessions (deploy/embedded/engine/engine-main.ts), and hours for
 * the memory take four at most, so that another organisation finds a free one soon. Two reads are enough to use two cores.
 */
const MOST_AT_ONCE = 2;
/** A call makes about ten reads. The limit keeps the wait of an organisation shorter than its callers' time-outs. */
const WAITING = { total: 4_096, mostOfOwner: 256 };
/**
 * Characters of store answers that one organisation may read per second, and as a burst. Reading and writing them takes the process's
 * single thread about 25 ms per million. An answer with 500 ordinary requests has 0.6 million.
 */
const CHARACTERS = { perSecond: 8_000_000, burst: 24_000_000 };
/** After this wait a refusal is better than a longer wait: most clients time out after 30 seconds. */
const MOST_WAIT_MS = 10_000;
const LONGEST_RETRY_SECONDS = 60;
/** Weight of the newest read in the mean duration. */
const WEIGHT = 0.1;

export interface ShareReadsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly mostWaitMs?: number;
}

/** The reader of one call. @param signal aborted when no caller waits for the read; it ends waiting and running statements. */
export type ReaderOf = (organisationId: string, signal?: AbortSignal) => ClickHouseReader;

/** Pays for rows that are read for several organisations together. */
export interface Payer {
  readonly organisationId: string;
  /**
   * Waits until the organisation's debt from long answers is paid.
   * @throws PublicError (503) if that takes too long
   */
  pay(): Promise<void>;
  charge(characters: number): void;
}

export interface SharedReads {
  readonly readerOf: ReaderOf;
  payerOf(organisationId: string): Payer;
}

/**
 * A reader per organisation. Above its share, an organisation's reads wait for each other and never for those of others. Scans do not
 * count against this share. They have their own slots (slow-reads/slow-reads.ts) and continue without their caller, who
 * fetches the answer later. The length of answers counts for both.
 * @returns readers that throw PublicError (503) if too many reads of the organisation wait, or one waits too long.
 */
export function shareReads(
  reader: ClickHouseReader,
  { now, mostWaitMs = MOST_WAIT_MS }: ShareReadsOptions,
): SharedReads {
  let meanMs = 0;
  const places = createLimiter({
    most: Number.POSITIVE_INFINITY,
    mostOfOwner: MOST_AT_ONCE,
    waiting: WAITING,
    full: tooMuch,
  });

  const costs = createTokenBuckets({ ...CHARACTERS, now });
  const debtMsOf = (organisationId: string) => costs.spend(organisationId, 0);

  /** The refusal. Retry-After is the estimated time until the waiting reads are finished and the debt is paid. */
  function tooMuch(organisationId: string): PublicError {
    const waitingMs = (places.waitingOf(organisationId) * meanMs) / MOST_AT_ONCE;
    const seconds = Math.ceil((waitingMs + debtMsOf(organisationId)) / 1000);
    return new PublicError(
      'unavailable',
      'Too many reads of your organisation are waiting; repeat the call.',
      {
        retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
      },
    );
  }

  /** Waits until the organisation's debt from long answers is paid. */
  async function pay(organisationId: string, signal = new AbortController().signal): Promise<void> {
    const debtMs = debtMsOf(organisationId);
    if (debtMs === 0) return;
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

  const readerOf: ReaderOf = (organisationId, signal) => ({
    async read(query) {
      const paidFor = charged(organisationId, query);
      if (query.scan !== undefined) {
        await pay(organisationId);
        return reader.read(paidFor);
      }
      signal?.throwIfAborted();
      const leave = places.tryEnter(organisationId) ?? (await wait(organisationId, signal));
      try {
        // The slot stays taken meanwhile, so the organisation's other reads wait too.
        await pay(organisationId, signal);
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

  return {
    readerOf,
    payerOf: (organisationId) => ({
      organisationId,
      pay: () => pay(organisationId),
      charge(characters) {
        costs.spend(organisationId, characters);
      },
    }),
  };
}
