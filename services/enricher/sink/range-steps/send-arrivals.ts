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
  /** The log does not take them; the step waits for it. */
  onArrivalFailure(error: LogUnavailableError, retryInMs: number): void;
  /** The range goes on without its arrivals. Some of the websites' records may have been taken. */
  onArrivalsDropped(error: LogUnavailableError, dropped: { token: string; websites: number }): void;
}

/**
 * How long a range waits for a log that takes its commits and not its arrivals: no right to write, a partition without a leader, a topic that is
 * gone. Storage must not stand still for the detector.
 */
const GIVEN_UP_AFTER_MS = 30 * SECOND_MS;

/**
 * Reports to the detector what was stored: a record of `requests.stored` for each website. It is the last of all steps, so that the detector can
 * read the rows.
 *
 * The next range waits until this step ends, so it ends: after {@link GIVEN_UP_AFTER_MS} the range goes on without its arrivals. The ranges after it
 * try once each, until one succeeds. Where the log is away as a whole, the step waits as long as it lasts, since no commit succeeds either.
 *
 * At least once, but for what was given up: after a crash they are sent again, and a repeat changes nothing. They are sent whether the insert
 * stored rows or was dropped as a repeat, since the first owner may have died between its insert and this step.
 */
export function sendArrivals(deps: SendArrivalsDependencies): RangeStep {
  const { log, hold, attempts } = deps;

  /** The last range went on without its arrivals, since the log did not take them. */
  let isGivenUp = false;

  /** @returns null: sent, else why not. @throws what a repeat would not mend */
  async function append(
    range: PreparedRange,
    records: readonly NewRecord[],
  ): Promise<LogUnavailableError | null> {
    const nextDelay = attempts.newDelay();
    // While the log took commits: neither the commits' own time counts, nor the attempt before the first of them.
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
