import type { PublicError } from '../../../shared/errors.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import { pause } from '../../../shared/pacing/pause.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { alsoReport } from './also-report.js';
import { MOST_WAIT_MS, refusal, WAITING, waitInTime } from './wait-in-time.js';

/** Concurrent everyday reads of one organisation. Two reads are enough to use two cores. */
const MOST_OF_ORGANISATION = 2;
/**
 * Characters of store answers that one organisation may read per second, and as a burst. Reading and writing them takes the process's
 * single thread about 25 ms per million. An answer with 500 ordinary requests has 0.6 million.
 */
const CHARACTERS = { perSecond: 8_000_000, burst: 24_000_000 };
/** Weight of the newest read in the mean duration, an exponential moving average. */
const WEIGHT = 0.1;

export interface ShareReadsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Concurrent everyday reads of all organisations. More would delay fills of rows (kept-hours/join-fills.ts), which answer many reads
   * with one statement. Then reads that give up a fill would add statements, and the delay would never end.
   */
  readonly mostAtOnce: number;
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
 * Limits concurrent reads, of each organisation and of all, and the length of each organisation's answers. Above a limit, reads wait.
 * Organisations take turns. Scans need no place here. They have their own slots (slow-reads/slow-reads.ts) and continue without their
 * caller, who fetches the answer later. The length of answers counts for both.
 * @returns readers that throw PublicError (503) if too many reads of the organisation wait, or one waits too long; ReadEndedError if the
 * signal fires first
 */
export function shareReads(
  reader: ClickHouseReader,
  { now, mostAtOnce, mostWaitMs = MOST_WAIT_MS }: ShareReadsOptions,
): SharedReads {
  /** Mean duration of the statements, in milliseconds. */
  let meanMs = 0;
  const places = createLimiter({
    most: mostAtOnce,
    mostOfOwner: MOST_OF_ORGANISATION,
    waiting: WAITING,
    full: tooMuch,
  });

  const costs = createTokenBuckets({ ...CHARACTERS, now });
  const debtMsOf = (organisationId: string) => costs.spend(organisationId, 0);

  function tooMuch(organisationId: string): PublicError {
    // Organisations that wait share all places.
    const share = Math.min(MOST_OF_ORGANISATION, mostAtOnce / Math.max(places.waitingOwners(), 1));
    const waitingMs = (places.waitingOf(organisationId) * meanMs) / share;
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

  /** Resolves with a place when the organisation has no debt. It waits for the debt without a place, so that others can take one. */
  const enter = (organisationId: string, signal: AbortSignal | undefined) =>
    waitInTime(
      async (end) => {
        for (;;) {
          await pay(organisationId, end);
          const leave = places.tryEnter(organisationId) ?? (await places.enter(organisationId, end));
          // A read that ended meanwhile may have added to the debt.
          if (debtMsOf(organisationId) === 0) return leave;
          leave();
        }
      },
      { mostMs: mostWaitMs, late: () => tooMuch(organisationId), signal },
    );

  const readerOf: ReaderOf = (organisationId, signal) => ({
    async read(query) {
      const paidFor = alsoReport(query, ({ characters }) => costs.spend(organisationId, characters));
      if (query.scan !== undefined) {
        await pay(organisationId);
        return reader.read(paidFor);
      }
      const leave = await enter(organisationId, signal);
      try {
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
