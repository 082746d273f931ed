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
  /** The stored row; null: it was erased. */
  readonly read: (due: DueDelivery) => Promise<Delivery | null>;
  /** Throws only on faults of this process, never on those of the receiver. */
  readonly send: (delivery: Delivery, signal: AbortSignal) => Promise<Ending>;
  readonly record: (delivery: Delivery) => Promise<void>;
  /** false: the website was erased, so nothing about it is written any more. */
  readonly isKnown: (websiteId: string) => boolean;
  readonly metrics: Pick<NotificationMetrics, 'attempts' | 'seconds'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

const RECORD_DELAYS = { firstMs: SECOND_MS, longestMs: 15 * SECOND_MS };

/**
 * @returns a function that tries once to deliver a message. It reads the row again before sending and records the result after. A message is sent twice only
 * if this process, or its assignment of the partition, ends in between. Throws the store's error, and when the signal fires.
 */
export function createAttempt({ read, send, record, isKnown, metrics, now, logger }: AttemptOptions) {
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
      return await send(delivery, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      logger.error({ err: error, delivery: delivery.id }, 'a delivery attempt threw an error');
      // It is retried with the same backoff, and ends before the operator.
      return { status: 'failed', reason: 'the attempt failed: see the log of jobs for the error' };
    }
  }

  /**
   * An erased delivery must not be stored again with its text. A recorded result must stay: another replica sent the message while this process hung,
   * and a row of a cancelled attempt would make it send again.
   */
  async function isToBeRecorded(delivery: Delivery): Promise<boolean> {
    const stands = await read(delivery);
    return stands !== null && stands.revision < delivery.revision;
  }

  /** Retries until the store has the result: an unrecorded message would be sent again. */
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
          'the result of a delivery is not recorded yet',
        );
        await pause(nextDelay(), signal);
      }
    }
  }

  return attempt;
}
