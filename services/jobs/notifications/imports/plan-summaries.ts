import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import type { Delivery } from '../../../../shared/queries/notification-deliveries.js';

/** Which alerts of imported logs one message summarises, and when. Pure. */

/** An import is over when none of its alerts came for so long. */
const QUIET_MS = 10 * MINUTE_MS;
/** A longer import has several summaries. */
const LONGEST_MS = 3 * HOUR_MS;

export interface DueSummary {
  /** The id of the alert that was put in first. An alert is in one summary, so no two have one name. */
  readonly name: string;
  readonly rows: readonly Delivery[];
  /** The rows have the name in the store: a process named them and ended before the messages were put in. */
  readonly isNamed: boolean;
}

/** @param waiting rows of one website that are in no message yet. @param now milliseconds since the epoch */
export function dueSummaries(waiting: readonly Delivery[], now: number): DueSummary[] {
  const named = new Map<string, Delivery[]>();
  const fresh: Delivery[] = [];
  for (const row of waiting) {
    if (row.content === '') fresh.push(row);
    else named.set(row.content, [...(named.get(row.content) ?? []), row]);
  }
  const due = [...named].map(([name, rows]) => ({ name, rows, isNamed: true }));
  const inOrder = fresh.sort(
    (one, other) => one.queuedAt - other.queuedAt || (one.alertId < other.alertId ? -1 : 1),
  );
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (first === undefined || last === undefined) return due;
  const isOver = now - last.queuedAt >= QUIET_MS || now - first.queuedAt >= LONGEST_MS;
  return isOver ? [...due, { name: first.alertId, rows: inOrder, isNamed: false }] : due;
}
