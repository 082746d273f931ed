import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepBots, keepClients, keepPaths } from '../../../../shared/detection/fold-signals.js';
import type { MinuteSignal, Signal } from '../../../../shared/detection/signal.js';
import { signalRecord } from '../../../../shared/detection/signal-codec.js';
import { SECOND_MS } from '../../../../shared/durations.js';
import {
  type EventLog,
  LogUnavailableError,
  type NewRecord,
} from '../../../../shared/event-log/event-log.js';
import type { RangeHold } from '../hold-range.js';
import type { PreparedRange } from '../prepare-range.js';
import type { RangeStep } from './range-step.js';
import type { StoreAttempts } from './store-attempts.js';

export interface SendSignalsDependencies {
  readonly log: Pick<EventLog, 'append'>;
  readonly hold: RangeHold;
  readonly attempts: Pick<StoreAttempts, 'newDelay'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The log does not take them; the step waits for it. */
  onSignalFailure(error: unknown, retryInMs: number): void;
  /**
   * The range goes on without its signals: not even the counts are small enough for the log (RangeError), or it did not take them in time
   * (LogUnavailableError). Then some of the websites' records may have been taken.
   */
  onSignalDropped(error: unknown, dropped: { token: string; websites: number }): void;
}

/** Of one record; longer lists are cut to it. Brokers take 8 MiB (shared/event-log/kafka/ensure-topics.ts). */
const MAX_BYTES = 1024 ** 2;
/**
 * How long a range waits for a log that takes its commits and not its signals: no right to write, a partition without a leader, a topic that is
 * gone. Storage must not stand still for the detector.
 */
const GIVEN_UP_AFTER_MS = 30 * SECOND_MS;
/** Shares of each minute's lists that are tried, where all of them are too much. Counts alone are some 100 bytes a minute. */
const SHARES = [1, 0.5, 0.25, 0.1, 0];

/**
 * Tells the detector what was stored: a record of `requests.signals` for each website, under the range's token. Last of all steps, so that
 * whatever it tells of can be read.
 *
 * The next range waits until this step ends, so it ends: after {@link GIVEN_UP_AFTER_MS} the range goes on without its signals. The ranges after it
 * try once each, until one succeeds. Where the log is away as a whole, the step waits as long as it lasts, since no commit succeeds either.
 *
 * At least once, but for what was given up: a crash behind it sends them again under the token, and the detector drops what it has seen. They are sent whether the
 * insert stored rows or was dropped as a repeat, since who inserted first may have died before it could tell.
 */
export function sendSignals(deps: SendSignalsDependencies): RangeStep {
  const { log, hold, attempts } = deps;

  /** The last range went on without its signals, since the log did not take them. */
  let isGivenUp = false;

  /**
   * @returns null: sent, else why not: RangeError where it is their size, LogUnavailableError where the log does not take them.
   * @throws whatever a repeat would not mend
   */
  async function append(
    range: PreparedRange,
    records: readonly NewRecord[],
  ): Promise<RangeError | LogUnavailableError | null> {
    const nextDelay = attempts.newDelay();
    // While the log took commits: neither the commits' own time counts, nor the attempt before the first of them.
    let refusedMs = 0;
    for (let isCommitted = false; ; isCommitted = true) {
      const begun = deps.now();
      try {
        await log.append('requests.signals', records);
        isGivenUp = false;
        return null;
      } catch (error) {
        if (error instanceof RangeError) return error;
        if (!(error instanceof LogUnavailableError)) throw error;
        hold.requireNotLost();
        if (isCommitted) refusedMs += Math.max(0, deps.now() - begun);
        isGivenUp ||= refusedMs >= GIVEN_UP_AFTER_MS;
        if (isGivenUp) return error;
        const retryInMs = nextDelay();
        deps.onSignalFailure(error, retryInMs);
        await hold.pause(range, retryInMs);
        refusedMs += retryInMs;
      }
    }
  }

  return {
    name: 'signals',
    async run(range) {
      if (range.signals.length === 0) return range;
      const signals = signalsOf(range, deps.now());
      let refusal = await append(range, await encode(signals, SHARES));
      if (refusal instanceof RangeError) refusal = await append(range, await encode(signals, [0]));
      if (refusal !== null) deps.onSignalDropped(refusal, { token: range.token, websites: signals.length });
      return range;
    },
  };
}

function signalsOf({ signals, token }: PreparedRange, storedAt: number): Signal[] {
  return signals.map(({ websiteId, minutes }) => ({ token, websiteId, storedAt, minutes }));
}

/** Yields between websites: a range may have hundreds. */
async function encode(signals: readonly Signal[], shares: readonly number[]): Promise<NewRecord[]> {
  const records: NewRecord[] = [];
  for (const signal of signals) {
    records.push(recordWithin(signal, shares));
    await nextTurn();
  }
  return records;
}

/** With as much of its lists as fits. */
function recordWithin(signal: Signal, shares: readonly number[]): NewRecord {
  let record = signalRecord(withShare(signal, shares[0]!));
  for (const share of shares.slice(1)) {
    if (record.value.length <= MAX_BYTES) break;
    record = signalRecord(withShare(signal, share));
  }
  return record;
}

function withShare(signal: Signal, share: number): Signal {
  if (share === 1) return signal;
  const some = (list: readonly unknown[]) => Math.floor(list.length * share);
  const cut = (minute: MinuteSignal): MinuteSignal => ({
    ...minute,
    byBot: keepBots(minute.byBot, some(minute.byBot)),
    byClient: keepClients(minute.byClient, some(minute.byClient)),
    failingPaths: keepPaths(minute.failingPaths, some(minute.failingPaths)),
  });
  return { ...signal, minutes: signal.minutes.map(cut) };
}
