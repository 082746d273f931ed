import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import type { Store } from './store.js';

/** Bytes of one transaction, which takes a few milliseconds. */
const BYTES_PER_STEP = 4 * 1024 ** 2;

/** `rewrite` of the port (event-log.ts), over all records that the topic contains at the start. */
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
      // Retention may have dropped the next records.
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
