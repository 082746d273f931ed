import { PublicError } from '../../../shared/errors.js';
import { createLimiter, type Leave } from '../../../shared/pacing/limiter.js';
import { pause } from '../../../shared/pacing/pause.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { alsoReport } from './also-report.js';

/**
 * Concurrent everyday reads of one organisation. The embedded engine has six sessions (deploy/embedded/engine/engine-main.ts), and fills of
 * rows (kept-hours/join-fills.ts) take four at most. So another organisation finds a free one soon. Two reads are enough to use two cores.
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
/** Weight of the newest read in the mean duration, an exponential moving average. */
const WEIGHT = 0.1;

export interface ShareReadsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Longest wait for a place, and the longest debt that a read waits for. */
  readonly mostWaitMs?: number;
}

/** Makes the reader of one call. @param signal aborted when no caller waits for the read; it ends waiting and running statements. */
export type ReaderOf = (organisationId: string, signal?: AbortSignal) => ClickHouseReader;

/** An organisation that pays for its part of a statement for several organisations. */
export interface Payer {
  readonly organisationId: string;
  /**
   * Waits until the organisation's debt from long answers is paid: it falls with time.
   * @throws PublicError (503) if that takes too long
   */
  pay(): Promise<void>;
  /** Adds the length of a part of an answer to the debt. */
  charge(characters: number): void;
}

export interface SharedReads {
  readonly readerOf: ReaderOf;
  /** For statements that this module does not send. They need no place. */
  payerOf(organisationId: string): Payer;
}

/**
 * Limits each organisation's concurrent reads and the length of their answers. Above a limit, its reads wait for each other and never for
 * those of others. Scans need no place here. They have their own slots (slow-reads/slow-reads.ts) and continue without their caller, who
 * fetches the answer later. The length of answers counts for both.
 * @returns readers that throw PublicError (503) if too many reads of the organisation wait, or one waits too long.
 */
export function shareReads(
  reader: ClickHouseReader,
  { now, mostWaitMs = MOST_WAIT_MS }: ShareReadsOptions,
): SharedReads {
  /** Mean duration of the statements, in milliseconds. */
  let meanMs = 0;
  const places = createLimiter({
    most: Number.POSITIVE_INFINITY,
    mostOfOwner: MOST_AT_ONCE,
    waiting: WAITING,
    full: tooMuch,
  });

  const costs = createTokenBuckets({ ...CHARACTERS, now });
  const debtMsOf = (organisationId: string) => costs.spend(organisationId, 0);

  function tooMuch(organisationId: string): PublicError {
    const waitingMs = (places.waitingOf(organisationId) * meanMs) / MOST_AT_ONCE;
    return refusal(waitingMs + debtMsOf(organisationId));
  }

  /** As Payer.pay. */
  async function pay(organisationId: string, signal = new AbortController().signal): Promise<void> {
    const debtMs = debtMsOf(organisationId);
    if (debtMs === 0) return;
    if (debtMs > mostWaitMs) throw tooMuch(organisationId);
    await pause(debtMs, signal);
    signal.throwIfAborted();
  }

  /** The refusal is made when the wait ends: Retry-After follows from the queue at that time. */
  const wait = (organisationId: string, signal: AbortSignal | undefined) =>
    enterInTime(
      (end) => places.enter(organisationId, end),
      mostWaitMs,
      () => tooMuch(organisationId),
      signal,
    );

  const readerOf: ReaderOf = (organisationId, signal) => ({
    async read(query) {
      const paidFor = alsoReport(query, ({ characters }) => costs.spend(organisationId, characters));
      if (query.scan !== undefined) {
        await pay(organisationId);
        return reader.read(paidFor);
      }
      signal?.throwIfAborted();
      const leave = places.tryEnter(organisationId) ?? (await wait(organisationId, signal));
      try {
        // The place stays taken meanwhile, so the organisation's other reads wait too.
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

/** Calls `enter` with a signal that fires with the caller's, or after this time. @param late the error after this time */
async function enterInTime(
  enter: (end: AbortSignal) => Promise<Leave>,
  mostMs: number,
  late: () => Error,
  signal: AbortSignal | undefined,
): Promise<Leave> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(late()), mostMs);
  try {
    return await enter(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** @param waitMs estimated time until the waiting reads are finished and the debt is paid */
function refusal(waitMs: number): PublicError {
  const seconds = Math.ceil(waitMs / 1000);
  return new PublicError('unavailable', 'Too many reads of your organisation are waiting; repeat the call.', {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS),
  });
}
