import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { type DelayBounds, doublingDelay } from '../../../../shared/pacing/doubling-delay.js';
import { blameOf } from '../../../../shared/store/store-errors.js';
import { type DeadRecord, findCulprits } from '../range/find-culprits.js';
import type { RangeHold } from '../range/hold-range.js';
import type { PreparedRange } from '../range/prepare-range.js';

/**
 * How a step waits for the store and how it finds the records that the store refuses (EXACTLY-ONCE.md, "What the store
 * refuses"): one way for all that a step writes or asks.
 */

export interface StoreAttemptsDependencies {
  readonly hold: RangeHold;
  /** Whether the store answers a question at this moment. */
  answers(): Promise<boolean>;
  readonly delays?: DelayBounds;
  readonly mostTrials?: number;
}

/** One statement to the store. */
export interface StoreWork<Result> {
  /** Rejects with what the store said. */
  run(): Promise<Result>;
  onFailure(error: unknown, retryInMs: number): void;
}

/** Work by which it is found which records the store refuses. */
export interface TrialWork {
  /** Any store takes it which takes any: where it is refused too, no record is at fault. */
  plain(): Promise<StoreWork<unknown>>;
  /** Of some of the records; null: they make none. */
  of(some: readonly LogRecord[]): Promise<StoreWork<unknown> | null>;
}

/** What came of it: a result, or a refusal that may be the fault of what was sent, and the wait that is due after it. */
export type Attempted<Result> =
  | { readonly result: Result }
  | { readonly refusal: string; readonly retryInMs: number };

export interface StoreAttempts {
  /**
   * Repeats the work with back-off for as long as the store is away. Before each repeat the plan is committed again, so that
   * who lost the partition learns it first.
   * @param nextDelay of `newDelay`; goes on where several calls are attempts at one thing.
   * @returns the last refusal after {@link REFUSALS_BEFORE_SEARCH} of them.
   */
  untilTaken<Result>(
    range: PreparedRange,
    work: StoreWork<Result>,
    nextDelay: () => number,
  ): Promise<Attempted<Result>>;
  newDelay(): () => number;
  /**
   * The records among these that the store refuses by themselves, as far as {@link MOST_TRIALS} tell.
   */
  findRefused(range: PreparedRange, records: readonly LogRecord[], trial: TrialWork): Promise<DeadRecord[]>;
}

/** With the delays between them some three seconds. */
const REFUSALS_BEFORE_SEARCH = 5;
/** A trial that fails twice by its rows has failed. */
const REFUSALS_OF_TRIAL = 2;
/**
 * Trials of one search; a range that is refused again is searched again. Each takes its place in the tables' window of known tokens, as any insert does, and the range's own
 * token must not fall out of it: 500 of 14 months are 7,000 parts of 20,000.
 */
const MOST_TRIALS = 500;
const DELAYS = { firstMs: 100, longestMs: 5_000 };

export function createStoreAttempts({
  hold,
  answers,
  delays = DELAYS,
  mostTrials = MOST_TRIALS,
}: StoreAttemptsDependencies): StoreAttempts {
  /** Whether the failure may be the fault of what was sent: an unknown one is the store's while it does not answer. */
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

  /** @returns null where the store takes it, else why it does not. */
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
      // Who refuses what is plain refuses all: that is nobody's record.
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
