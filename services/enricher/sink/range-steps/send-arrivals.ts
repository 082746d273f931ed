import { arrivalRecord } from '../../../../shared/detection/arrival-codec.js';
import { SECOND_MS } from '../../../../shared/durations.js';
import {
  type EventLog,
  LogUnavailableError,
  type NewRecord,
} from '../../../../shared/event-log/event-log.js';
import type { RangeHold } from '../range/hold-range.js';
import type { PreparedRange } from '../range/prepare-range.js';
import type { RangeStep } from './range-step.js';
import type { StoreAttempts } from './store-attempts.js';

export interface SendArrivalsDependencies {
  readonly log: Pick<EventLog, 'append'>;
  readonly hold: RangeHold;
  readonly attempts: Pick<StoreAttempts, 'newDelay'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The log does not accept the arrivals, and the step waits. */
  onArrivalFailure(error: LogUnavailableError, retryInMs: number): void;
  /** The range continues without its arrivals. Some of the websites' records may have been accepted. */
  onArrivalsDropped(error: LogUnavailableError, dropped: { token: string; websites: number }): void;
}

/**
 * How long a range waits for a log that accepts its commits but not its arrivals: no write permission, a
 * partition without a leader, or a missing topic. Storage must not stop for the detector.
 */
const GIVEN_UP_AFTER_MS = 30 * SECOND_MS;

/**
 * Reports the stored rows to the detector: a record of `requests.stored` for each website. It is the last
 * step, so that the detector can read the rows.
 *
 * The next range waits for this step. After {@link GIVEN_UP_AFTER_MS} the range continues without its
 * arrivals. Later ranges try once each, until one succeeds. If the whole log is unavailable, the step waits
 * until it is back, since no commit succeeds either.
 *
 * Arrivals are sent at least once, unless dropped. A crash repeats them, and a repeat changes nothing. They
 * are also sent if the insert was dropped as a repeat, since the first owner may have died between its insert
 * and this step.
 */
export function sendArrivals(deps: SendArrivalsDependencies): RangeStep {
  const { log, hold, attempts } = deps;

  /** Whether the last range continued without its arrivals, because the log did not accept them. */
  let isGivenUp = false;

  /**
   * @returns null if sent, else the error
   * @throws errors that a retry cannot solve
   */
  async function append(
    range: PreparedRange,
    records: readonly NewRecord[],
  ): Promise<LogUnavailableError | null> {
    const nextDelay = attempts.newDelay();
    // Time in which the log accepted commits. The commits themselves and the attempt before the first one do
    // not count.
    let refusedMs = 0;
    for (let isCommitted = false; ; isCommitted = true) {
      const begun = deps.now();
      try {
        await log.append('requests.stored', records);
        isGivenUp = false;
        return null;
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) throw error;
        hold.requireNotLost();
        if (isCommitted) refusedMs += Math.max(0, deps.now() - begun);
        isGivenUp ||= refusedMs >= GIVEN_UP_AFTER_MS;
        if (isGivenUp) return error;
        const retryInMs = nextDelay();
        deps.onArrivalFailure(error, retryInMs);
        await hold.pause(range, retryInMs);
        refusedMs += retryInMs;
      }
    }
  }

  return {
    name: 'arrivals',
    async run(range) {
      const { arrivals, token } = range;
      if (arrivals.length === 0) return range;
      const storedAt = deps.now();
      const records = arrivals.map((arrival) => arrivalRecord({ ...arrival, storedAt }));
      const refusal = await append(range, records);
      if (refusal !== null) deps.onArrivalsDropped(refusal, { token, websites: arrivals.length });
      return range;
    },
  };
}
