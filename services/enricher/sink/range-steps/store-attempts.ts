import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { type DelayBounds, doublingDelay } from '../../../../shared/pacing/doubling-delay.js';
import { blameOf } from '../../../../shared/store/store-errors.js';
import { type DeadRecord, findCulprits } from '../range/find-culprits.js';
import type { RangeHold } from '../range/hold-range.js';
import type { PreparedRange } from '../range/prepare-range.js';

/**
 * Retries a step's statements, and finds the records that the store refuses (EXACTLY-ONCE.md, "Refused
 * rows"). All steps use it for their writes and queries.
 */

export interface StoreAttemptsDependencies {
  readonly hold: RangeHold;
  /** Whether the store currently answers a query. */
  answers(): Promise<boolean>;
  readonly delays?: DelayBounds;
  readonly mostTrials?: number;
}

/** One statement to the store. */
export interface StoreWork<Result> {
  /** Rejects with the store's error. */
  run(): Promise<Result>;
  onFailure(error: unknown, retryInMs: number): void;
}

/** Statements that test which records the store refuses. */
export interface TrialWork {
  /** Any working store accepts it. If it is refused too, no record is at fault. */
  plain(): Promise<StoreWork<unknown>>;
  /** The statement for some of the records; null: they produce none. */
  of(some: readonly LogRecord[]): Promise<StoreWork<unknown> | null>;
}

/** A result, or a refusal that the records may have caused, with the delay until the next attempt. */
export type Attempted<Result> =
  | { readonly result: Result }
  | { readonly refusal: string; readonly retryInMs: number };

export interface StoreAttempts {
  /**
   * Retries the work with backoff while the store is unavailable. It commits the plan before each retry, so
   * that a former owner notices the loss of its partition first.
   * @param nextDelay from `newDelay`; pass the same one in several calls for the same work
   * @returns the result, or the last of {@link REFUSALS_BEFORE_SEARCH} refusals
   */
  untilTaken<Result>(
    range: PreparedRange,
    work: StoreWork<Result>,
    nextDelay: () => number,
  ): Promise<Attempted<Result>>;
  newDelay(): () => number;
  /** The records that the store refuses by themselves, found within {@link MOST_TRIALS}. */
  findRefused(range: PreparedRange, records: readonly LogRecord[], trial: TrialWork): Promise<DeadRecord[]>;
}

/** About three seconds, with the delays between them. */
const REFUSALS_BEFORE_SEARCH = 5;
/** Refusals of its rows after which a trial has failed. */
const REFUSALS_OF_TRIAL = 2;
/**
 * Trials of one search; a range that is refused again is searched again. Each trial takes an entry in the
 * tables' deduplication window, and the range's own token must stay in it: 500 trials of 14 months are 7,000
 * of 20,000 parts.
 */
const MOST_TRIALS = 500;
const DELAYS = { firstMs: 100, longestMs: 5_000 };

export function createStoreAttempts({
  hold,
  answers,
  delays = DELAYS,
  mostTrials = MOST_TRIALS,
}: StoreAttemptsDependencies): StoreAttempts {
  /**
   * Whether the rows may have caused the error. An unknown error counts as the store's while it does not
   * answer.
   */
  async function mayBeOurs(error: unknown): Promise<boolean> {
    const blame = blameOf(error);
    return blame === 'rows' || (blame === 'unknown' && (await answers()));
  }

  async function untilRefused<Result>(
    mostRefusals: number,
    range: PreparedRange,
    { run, onFailure }: StoreWork<Result>,
    nextDelay: () => number,
  ): Promise<Attempted<Result>> {
    for (let refusals = 0; ; ) {
      try {
        return { result: await run() };
      } catch (error) {
        hold.requireNotLost();
        const retryInMs = nextDelay();
        onFailure(error, retryInMs);
        if (await mayBeOurs(error)) refusals += 1;
        if (refusals >= mostRefusals) return { refusal: reasonOf(error), retryInMs };
        await hold.pause(range, retryInMs);
      }
    }
  }

  /** @returns null if the store accepts it, else the reason */
  async function tryOut(range: PreparedRange, work: StoreWork<unknown> | null): Promise<string | null> {
    if (work === null) return null;
    await hold.requireOurs(range);
    const tried = await untilRefused(REFUSALS_OF_TRIAL, range, work, doublingDelay(delays));
    return 'result' in tried ? null : tried.refusal;
  }

  return {
    newDelay: () => doublingDelay(delays),
    untilTaken: (range, work, nextDelay) => untilRefused(REFUSALS_BEFORE_SEARCH, range, work, nextDelay),
    async findRefused(range, records, { plain, of }) {
      // A store that refuses a plain record refuses all: no record is at fault.
      if ((await tryOut(range, await plain())) !== null) return [];
      let trials = 0;
      return findCulprits(records, {
        async reasonAgainst(some) {
          trials += 1;
          return tryOut(range, await of(some));
        },
        mayGoOn: () => trials < mostTrials,
      });
    },
  };
}

const LONGEST_REASON = 500;

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `the store refuses it: ${message.slice(0, LONGEST_REASON)}`;
}
