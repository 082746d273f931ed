import type { EventLog } from '../../../shared/event-log/event-log.js';
import { encodeDeadEntry } from '../../../shared/requests/dead-record.js';
import type { DeadRecord } from './range/find-culprits.js';

export interface DeadLettersDependencies {
  readonly log: Pick<EventLog, 'append'>;
  onDead(dead: DeadRecord): void;
}

/**
 * Appends dead records of a partition to `requests.dead`, at least once.
 *
 * An entry is a third longer than its record, so the log may refuse it as too large. It then goes without the
 * record's bytes, which stay in the log until retention deletes them: a dead letter that cannot be sent must
 * not stop its partition.
 */
export function createDeadLetters(
  partition: number,
  { log, onDead }: DeadLettersDependencies,
): (dead: readonly DeadRecord[]) => Promise<void> {
  const entryOf = ({ record: { offset, value }, reason }: DeadRecord) =>
    ({ kind: 'dead', topic: 'requests.raw', partition, offset, reason, value }) as const;
  const append = (dead: readonly DeadRecord[]) =>
    log.append(
      'requests.dead',
      dead.map((one) => ({ key: one.record.key, value: encodeDeadEntry(entryOf(one)) })),
    );

  async function appendWithoutBytes(one: DeadRecord): Promise<void> {
    const { record } = one;
    const reason = `${one.reason} (${record.value.length} bytes, too many for this entry)`;
    const entry = { ...entryOf(one), reason, value: Buffer.of() };
    await log.append('requests.dead', [{ key: record.key, value: encodeDeadEntry(entry) }]);
  }

  async function unlessTooLarge(work: () => Promise<unknown>, otherwise: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      await otherwise();
    }
  }

  return async (dead) => {
    for (const one of dead) onDead(one);
    await unlessTooLarge(
      () => append(dead),
      async () => {
        for (const one of dead) {
          await unlessTooLarge(
            () => append([one]),
            () => appendWithoutBytes(one),
          );
        }
      },
    );
  };
}
