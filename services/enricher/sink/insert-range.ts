import { blameOf } from '../../../shared/clickhouse/client.js';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { type DeadRecord, findCulprits } from './find-culprits.js';
import type { RangeHold } from './hold-range.js';
import type { PreparedRange } from './prepare-range.js';

/** One body of rows for the table `requests`. */
export interface Insertion {
  /** In the Native format. */
  readonly body: Buffer;
  readonly rows: number;
  readonly token: string;
  /** Whose rows they are; absent: nobody's, of a trial. */
  readonly websiteIds?: ReadonlySet<string>;
}

export interface InsertDependencies {
  /** One attempt; `lost` gives it up. Rejects with what the store said. */
  insert(insertion: Insertion, lost: AbortSignal): Promise<void>;
  /** Whether the store answers a question at this moment. */
  answers(): Promise<boolean>;
  readonly hold: RangeHold;
  bury(dead: readonly DeadRecord[]): Promise<void>;
  /** The range again without these records, under its token. */
  leaveOut(range: PreparedRange, offsets: readonly number[]): Promise<PreparedRange>;
  /** The records' rows as a trial (trial.ts) under a token of its own; null where they have none. */
  encodeTrial(records: readonly LogRecord[]): Promise<Insertion | null>;
  /** A trial that any store takes which takes one at all. */
  plainTrial(): Promise<Insertion>;
  onFailure(error: unknown, failed: { token: string; rows: number; retryInMs: number }): void;
  /** The partition has gone to another consumer. */
  readonly lost: AbortSignal;
  readonly delays?: { readonly firstMs: number; readonly longestMs: number };
  readonly mostTrials?: number;
}

/** With the delays between them some three seconds. */
const REFUSALS_BEFORE_TRIAL = 5;
/** A trial that fails twice by its rows has failed. */
const REFUSALS_OF_TRIAL = 2;
/**
 * Trials of one search; a range that is refused again is searched again. Each takes its place in the tables' window of known tokens, as any insert does, and the range's own
 * token must not fall out of it: 500 of 14 months are 7,000 parts of 20,000.
 */
const MOST_TRIALS = 500;
const DELAYS = { firstMs: 100, longestMs: 5_000 };

export type InsertRange = (range: PreparedRange) => Promise<PreparedRange>;

/**
 * Inserts a range, and again with back-off for as long as it fails: the token makes a repeat harmless, and the log keeps what
 * waits. Before each repeat the plan is committed again, so that who lost the partition learns it first. Where the store
 * refuses the rows, its culprits are found, buried and left out.
 *
 * The returned function resolves with the range as it was stored.
 * @throws StaleAssignmentError, RangeLeftError, LogUnavailableError
 */
export function createRangeInserter(deps: InsertDependencies): InsertRange {
  const { hold, delays = DELAYS, mostTrials = MOST_TRIALS } = deps;

  /** Whether the failure may be the rows' fault: an unknown one is the store's while it does not answer. */
  async function mayBeRows(error: unknown): Promise<boolean> {
    const blame = blameOf(error);
    return blame === 'rows' || (blame === 'unknown' && (await deps.answers()));
  }

  /** @returns null when it was stored, else why the store refuses it. */
  async function tryOut(range: PreparedRange, trial: Insertion | null): Promise<string | null> {
    if (trial === null) return null;
    let refusals = 0;
    for (let delay = delays.firstMs; ; delay = Math.min(2 * delay, delays.longestMs)) {
      await hold.requireOurs(range);
      try {
        await deps.insert(trial, deps.lost);
        return null;
      } catch (error) {
        hold.requireNotLost();
        deps.onFailure(error, { token: trial.token, rows: trial.rows, retryInMs: delay });
        if (await mayBeRows(error)) refusals += 1;
        if (refusals >= REFUSALS_OF_TRIAL) return reasonOf(error);
        await hold.pause(range, delay);
      }
    }
  }

  async function findRefused(range: PreparedRange): Promise<DeadRecord[]> {
    // Who refuses a plain row refuses all: that is nobody's record.
    if ((await tryOut(range, await deps.plainTrial())) !== null) return [];
    const dead = new Set(range.dead.map(({ record }) => record));
    const records = range.records.filter(
      (record) => !dead.has(record) && !range.plan.leftOut.has(record.offset),
    );
    let trials = 0;
    return findCulprits(records, {
      async reasonAgainst(some) {
        trials += 1;
        return tryOut(range, await deps.encodeTrial(some));
      },
      mayGoOn: () => trials < mostTrials,
    });
  }

  async function leaveOutRefused(range: PreparedRange): Promise<PreparedRange> {
    const refused = await findRefused(range);
    if (refused.length === 0) return range;
    // Buried first: a plan that leaves out what nobody buried would lose it.
    await deps.bury(refused);
    const rest = await deps.leaveOut(
      range,
      refused.map(({ record }) => record.offset),
    );
    await hold.requireOurs(rest);
    return rest;
  }

  return async (planned) => {
    let range = planned;
    let refusals = 0;
    for (let delay = delays.firstMs; range.rows > 0; delay = Math.min(2 * delay, delays.longestMs)) {
      try {
        await deps.insert(range, deps.lost);
        break;
      } catch (error) {
        hold.requireNotLost();
        deps.onFailure(error, { token: range.token, rows: range.rows, retryInMs: delay });
        if (await mayBeRows(error)) refusals += 1;
        await hold.pause(range, delay);
      }
      if (refusals >= REFUSALS_BEFORE_TRIAL) {
        refusals = 0;
        range = await leaveOutRefused(range);
      }
    }
    return range;
  };
}

const LONGEST_REASON = 500;

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `the store refuses it: ${message.slice(0, LONGEST_REASON)}`;
}
