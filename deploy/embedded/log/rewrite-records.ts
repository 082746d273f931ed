import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import type { Store } from './store.js';

/** A transaction's share: some milliseconds of work. */
const BYTES_PER_STEP = 4 * 1024 ** 2;

/** `rewrite` of the port (event-log.ts), over all records that stand in the topic when it begins. */
export async function rewriteRecords(
  store: Store,
  topic: TopicName,
  change: Parameters<NonNullable<EventLog['rewrite']>>[1],
): Promise<number> {
  let count = 0;
  for (let partition = 0; partition < store.partitions(topic); partition++) {
    const { next: end } = store.extent(topic, partition);
    for (let at = store.extent(topic, partition).oldest; at < end; ) {
      const records = store.read(topic, partition, at, BYTES_PER_STEP);
      const last = records.at(-1);
      // Retention may have dropped what was still ahead.
      at = last === undefined ? Math.max(at + 1, store.extent(topic, partition).oldest) : last.offset + 1;
      const changed = records.flatMap((record): LogRecord[] => {
        const other = change(record);
        return other === null ? [] : [{ ...record, ...other }];
      });
      if (changed.length > 0) await store.replace(topic, changed);
      count += changed.length;
      await nextTurn();
    }
  }
  return count;
}
