import type { LogRecord, Position } from '../../../shared/event-log/event-log.js';
import type { DeadEntry } from '../../../shared/requests/dead-record.js';

/** A dead record in the list, without its bytes. */
export interface DeadLetter {
  readonly topic: 'requests.raw';
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly buriedAt: string;
  /** `replaying`: a replay was started, and it is unknown whether the log has the record. */
  readonly state: 'dead' | 'replaying' | 'replayed';
  readonly replayedAt: string | null;
  readonly replayedTo: Position | null;
}

/** Dead records by position, in the order of `buriedAt`. */
export type DeadLetters = ReadonlyMap<string, DeadLetter>;

export const nameOfPlace = ({ partition, offset }: Position): string => `${partition}/${offset}`;

/**
 * Adds an entry of `requests.dead`. A restart between burial and commit buries a record again: only the first entry
 * counts. A note about a record that retention has dropped is ignored.
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
