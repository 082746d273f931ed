import type { LogRecord, Position } from '../../../shared/event-log/event-log.js';
import type { DeadEntry } from '../../../shared/requests/dead-record.js';

/** A dead record as it is listed: all but its bytes, which may be many. */
export interface DeadLetter {
  readonly topic: 'requests.raw';
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly buriedAt: string;
  /** `replaying`: appending it again was begun, and whether the log took it is not known. */
  readonly state: 'dead' | 'replaying' | 'replayed';
  readonly replayedAt: string | null;
  readonly replayedTo: Position | null;
}

/** Dead records by place, in the order of their burial. */
export type DeadLetters = ReadonlyMap<string, DeadLetter>;

export const nameOfPlace = ({ partition, offset }: Position): string => `${partition}/${offset}`;

/**
 * Adds an entry of `requests.dead`. A restart between burying and commit buries a record once more: the first burial
 * stands. A note on a record that retention has dropped says nothing.
 */
export function foldDeadEntry(
  letters: Map<string, DeadLetter>,
  { appendedAt }: Pick<LogRecord, 'appendedAt'>,
  entry: DeadEntry,
): void {
  const name = nameOfPlace(entry);
  const known = letters.get(name);
  const at = new Date(appendedAt).toISOString();
  if (entry.kind === 'dead') {
    if (known !== undefined) return;
    const { topic, partition, offset, reason, value } = entry;
    letters.set(name, {
      topic,
      partition,
      offset,
      reason,
      bytes: value.length,
      buriedAt: at,
      state: 'dead',
      replayedAt: null,
      replayedTo: null,
    });
  } else if (known !== undefined) {
    letters.set(name, { ...known, state: entry.kind, replayedAt: at, replayedTo: entry.to });
  }
}
