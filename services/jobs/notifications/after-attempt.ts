import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../shared/durations.js';
import type { Delivery } from '../../../shared/reads/notifications/notification-deliveries.js';

/** How an attempt to deliver ended. `failed`: the next attempt may succeed. */
export type Ending =
  | { readonly status: 'sent' }
  | { readonly status: 'failed' | 'dead' | 'dropped'; readonly reason: string };

const FIRST_WAIT_MS = 30 * SECOND_MS;
const LONGEST_WAIT_MS = 4 * HOUR_MS;
/** A message that fails for so long is no news any more. It waits for the operator. */
const GIVE_UP_MS = DAY_MS;

/** @returns the row that replaces the delivery. @param now milliseconds since the epoch, when the attempt ended */
export function afterAttempt(delivery: Delivery, ending: Ending, now: number): Delivery {
  const revision = delivery.revision + 1;
  const tried = { ...delivery, revision, attempts: delivery.attempts + 1 };
  if (ending.status === 'sent') return { ...tried, status: 'sent', reason: '', content: '' };
  const { status, reason } = ending;
  const failed = { ...tried, reason };
  if (status === 'dropped') return { ...failed, status, content: '' };
  const wait = Math.min(FIRST_WAIT_MS * 2 ** delivery.attempts, LONGEST_WAIT_MS);
  const isOver = status === 'dead' || now + wait > delivery.queuedAt + GIVE_UP_MS;
  return isOver ? { ...failed, status: 'dead' } : { ...failed, status: 'pending', nextAttemptAt: now + wait };
}
