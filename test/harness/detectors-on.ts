import { decodeStoredRecord, type ForgetAddress } from '../../shared/detection/arrival-codec.js';
import type { EventLog, LogRecord } from '../../shared/event-log/event-log.js';

/**
 * A log with `requests.stored` in addition to its other topics, for tests of requests to forget an address.
 * Its detectors take the records and commit them, or do not.
 */
export interface LogOfDetectors extends EventLog {
  /** Addresses that the detectors were asked to forget, in order. */
  told(): readonly ForgetAddress[];
}

/** @param takes whether requests up to now are committed, called at each look */
export function withDetectors(log: EventLog, takes: () => boolean = () => true): LogOfDetectors {
  const stored: LogRecord[] = [];
  return {
    ...log,
    async append(topic, records) {
      if (topic !== 'requests.stored') return log.append(topic, records);
      return records.map((record) => {
        const place = { partition: 0, offset: stored.length };
        stored.push({ ...record, ...place, appendedAt: 0 });
        return place;
      });
    },
    async committed(topic, group) {
      if (topic !== 'requests.stored') return log.committed(topic, group);
      return takes() ? new Map([[0, { offset: stored.length, metadata: '' }]]) : new Map();
    },
    async rewrite(topic, change) {
      if (topic !== 'requests.stored') return 0;
      let count = 0;
      for (const [index, record] of stored.entries()) {
        const changed = change(record);
        if (changed === null) continue;
        stored[index] = { ...record, ...changed };
        count += 1;
      }
      return count;
    },
    told: () =>
      stored.map(({ value }) => {
        const record = decodeStoredRecord(value);
        if (record.kind !== 'forget') throw new Error('an arrival');
        return { websiteId: record.websiteId, address: record.address };
      }),
  };
}
