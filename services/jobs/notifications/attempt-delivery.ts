import { SECOND_MS } from '../../../shared/durations.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { Logger } from '../../../shared/logging/log.js';
import { afterDueTimers } from '../../../shared/pacing/after-due-timers.js';
import { doublingDelay } from '../../../shared/pacing/doubling-delay.js';
import { pause } from '../../../shared/pacing/pause.js';
import type { Delivery, DueDelivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import type { Assignment } from '../runner/assignments.js';
import { afterAttempt, type Ending } from './after-attempt.js';
import type { NotificationMetrics } from './notification-metrics.js';

export interface AttemptOptions {
  /** How it stands; null: it is not there any more. */
  readonly read: (due: DueDelivery) => Promise<Delivery | null>;
  /** What it throws is no fault of the other side. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<Ending>;
  readonly record: (delivery: Delivery) => Promise<void>;
  /** false: it was erased, and nothing is written of it any more. */
  readonly isKnown: (websiteId: string) => boolean;
  readonly metrics: Pick<NotificationMetrics, 'attempts' | 'seconds'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

const RECORD_DELAYS = { firstMs: SECOND_MS, longestMs: 15 * SECOND_MS };

/**
 * @returns what tries once to deliver a message. It is read again before it is sent, and how that ended is recorded after: it is sent twice only where this process, or its hold
 * on the partition, ends between the two. It throws what the store said, and where the signal fires.
 */
export function createAttempt({ read, deliver, record, isKnown, metrics, now, logger }: AttemptOptions) {
  async function attempt(
    due: DueDelivery,
    assignment: Pick<Assignment, 'leaving'>,
    signal: AbortSignal,
  ): Promise<void> {
    const delivery = await read(due);
    await afterDueTimers();
    if (delivery === null || delivery.status !== 'pending' || delivery.nextAttemptAt > now()) return;
    if (assignment.leaving.signal.aborted || !isKnown(due.websiteId)) return;
    const began = now();
    const ending = await tried(delivery, signal);
    const after = afterAttempt(delivery, ending, now());
    metrics.seconds.observe({ channel: due.channel }, (now() - began) / SECOND_MS);
    metrics.attempts.inc({ channel: due.channel, status: after.status });
    if (after.status === 'dead')
      logger.warn(
        { delivery: due.id, website: due.websiteId, channel: due.channel, reason: after.reason },
        'a message could not be delivered',
      );
    await recordForSure(after, signal);
  }

  async function tried(delivery: Delivery, signal: AbortSignal): Promise<Ending> {
    try {
      return await deliver(delivery, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      logger.error({ err: error, delivery: delivery.id }, 'a delivery could not be tried');
      // It waits longer each time as any other, and comes before the operator in the end.
      return { status: 'failed', reason: 'it could not be tried: the log of jobs says why' };
    }
  }

  /**
   * Not where it was erased while it was under way: its text must not be stored again. And not where how it ended stands there: another replica sent it
   * while this process hung, and what this one gave up would be sent again.
   */
  async function isToBeRecorded(delivery: Delivery): Promise<boolean> {
    const stands = await read(delivery);
    return stands !== null && stands.revision < delivery.revision;
  }

  /** Until the store has it: what was sent and is not recorded would be sent again. */
  async function recordForSure(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const nextDelay = doublingDelay(RECORD_DELAYS);
    while (isKnown(delivery.websiteId)) {
      try {
        if (delivery.content !== '' && !(await isToBeRecorded(delivery))) return;
        return await record(delivery);
      } catch (error) {
        if (signal.aborted) throw error;
        warnLimited(
          logger,
          { err: error, delivery: delivery.id },
          'how a delivery ended is not recorded yet',
        );
        await pause(nextDelay(), signal);
      }
    }
  }

  return attempt;
}
