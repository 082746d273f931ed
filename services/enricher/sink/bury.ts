import type { EventLog } from '../../../shared/event-log/event-log.js';
import { encodeDeadEntry } from '../../../shared/requests/dead-record.js';
import type { DeadRecord } from './find-culprits.js';

export interface DeadLettersDependencies {
  readonly log: Pick<EventLog, 'append'>;
  onDead(dead: DeadRecord): void;
}

/**
 * Appends dead records of a partition to `requests.dead`, at least once. An entry is a third longer than its record, so that the
 * log may not take it where it took the record; then it goes without its bytes, which stay in their place for as long as
 * retention keeps them: a record whose letter can't be sent must not stop its partition.
 */
export function createDeadLetters(
  partition: number,
  { log, onDead }: DeadLettersDependencies,
): (dead: readonly DeadRecord[]) => Promise<void> {
  async function append({ record: { key, offset, value }, reason }: DeadRecord): Promise<void> {
    const entry = { kind: 'dead', topic: 'requests.raw', partition, offset, reason, value } as const;
    try {
      await log.append('requests.dead', [{ key, value: encodeDeadEntry(entry) }]);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const short = {
        ...entry,
        reason: `${reason} (${value.length} bytes, too many for this entry)`,
        value: Buffer.of(),
      };
      await log.append('requests.dead', [{ key, value: encodeDeadEntry(short) }]);
    }
  }

  return async (dead) => {
    for (const one of dead) {
      onDead(one);
      await append(one);
    }
  };
}
