import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { groupBy } from '../../../../shared/group-by.js';
import type { Delivery } from '../../../../shared/reads/notifications/notification-deliveries.js';

/** Decides which alerts of imported logs one message summarises, and when. Pure. */

/** An import is over after this time without a new alert. */
const QUIET_MS = 10 * MINUTE_MS;
/** A longer import has several summaries. */
const LONGEST_MS = 3 * HOUR_MS;

export interface DueSummary {
  /** The id of the alert that was queued first. Each alert is in one summary, so names are unique. */
  readonly name: string;
  readonly rows: readonly Delivery[];
  /** Whether the stored rows have the name: a process named them and was killed before it queued the messages. */
  readonly isNamed: boolean;
}

/** @param waiting rows of one website, without messages yet. @param now milliseconds since the epoch */
export function dueSummaries(waiting: readonly Delivery[], now: number): DueSummary[] {
  const fresh = waiting.filter(({ content }) => content === '');
  const named = groupBy(
    waiting.filter(({ content }) => content !== ''),
    ({ content }) => content,
  );
  const due = [...named].map(([name, rows]) => ({ name, rows, isNamed: true }));
  const inOrder = fresh.sort(
    (one, other) => one.queuedAt - other.queuedAt || (one.alertId < other.alertId ? -1 : 1),
  );
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (first === undefined || last === undefined) return due;
  const isOver = now - last.queuedAt >= QUIET_MS || now - first.queuedAt >= LONGEST_MS;
  return isOver ? [...due, { name: first.alertId, rows: inOrder, isNamed: false }] : due;
}
