import { SECOND_MS } from '../../../shared/durations.js';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { Logger } from '../../../shared/logging/log.js';
import { doublingDelay } from '../../../shared/pacing/doubling-delay.js';
import { pause } from '../../../shared/pacing/pause.js';
import type { Assignment } from '../runner/assignments.js';
import type { createLateCommits } from './commit-behind.js';
import { createDeliveryQueuer, type QueuerOptions, type UndecidedAlerts } from './queue-deliveries.js';

export interface AlertConsumerOptions extends QueuerOptions {
  readonly commits: ReturnType<typeof createLateCommits>;
  /** Called after messages were queued. */
  readonly onQueued: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Incomplete batches per partition. At this limit, the next batch waits too. */
const MOST_INCOMPLETE = 8;
const STORE_DELAYS = { firstMs: SECOND_MS, longestMs: 15 * SECOND_MS };

/**
 * Takes batches of records of `alerts` and retries each until it is complete. A slow or failing website delays neither the others of its batch nor, up to
 * a limit, later batches. No later offset is committed meanwhile.
 */
export function createAlertConsumer(options: AlertConsumerOptions) {
  const { commits, onQueued, now, logger } = options;
  const queuer = createDeliveryQueuer(options);
  /** The batches that are not complete. */
  const taking = new Set<{ readonly assignment: Assignment; readonly since: number }>();
  const countOf = (assignment: Assignment) =>
    [...taking].filter((batch) => batch.assignment === assignment).length;

  /** @param onRound called after each round of retries. @returns false if the partition was left before the batch was complete */
  async function untilQueued(
    open: UndecidedAlerts,
    leaving: AbortSignal,
    onRound: () => void,
  ): Promise<boolean> {
    const nextDelay = doublingDelay(STORE_DELAYS);
    for (let rest = open; !leaving.aborted; ) {
      try {
        const result = await queuer.queueMessages(rest);
        rest = result.left;
        if (result.queued > 0) onQueued();
        if (rest.size === 0) return true;
        throw result.error;
      } catch (error) {
        const delay = nextDelay();
        const websites = [...rest.keys()].slice(0, 5);
        warnLimited(logger, { err: error, websites, retry_in_ms: delay }, 'alerts are not queued yet');
        onRound();
        await pause(delay, leaving);
      }
    }
    return false;
  }

  return {
    /** The longest wait of an incomplete batch. */
    stuckMs: () => Math.max(0, ...[...taking].map(({ since }) => now() - since)),
    /** Resolves when the partition's next batch may come. */
    take(assignment: Assignment, records: readonly LogRecord[]): Promise<void> {
      const batch = { assignment, since: now() };
      taking.add(batch);
      const finish = commits.begin(assignment, records[0]!.offset);
      return new Promise((resolve, reject) => {
        const onRound = () => {
          if (countOf(assignment) <= MOST_INCOMPLETE) resolve();
        };
        untilQueued(queuer.openAlerts(records), assignment.leaving.signal, onRound)
          .then((isQueued) => {
            if (isQueued) finish(records.at(-1)!.offset + 1);
          })
          .finally(() => taking.delete(batch))
          .then(resolve, reject);
      });
    },
  };
}
