import { decodeSignalRecord, type ForgetAddress } from '../../shared/detection/signal-codec.js';
import type { EventLog, LogRecord } from '../../shared/event-log/event-log.js';

/** A log with `requests.signals` beside what it has, for tests of what detectors are told: they count and commit, or do not. */
export interface LogOfDetectors extends EventLog {
  /** What they were told to forget, in order. */
  told(): readonly ForgetAddress[];
}

/** @param takes whether what was told until now is committed, at each look. */
export function withDetectors(log: EventLog, takes: () => boolean = () => true): LogOfDetectors {
  const signals: LogRecord[] = [];
  return {
    ...log,
    async append(topic, records) {
      if (topic !== 'requests.signals') return log.append(topic, records);
      return records.map((record) => {
        const place = { partition: 0, offset: signals.length };
        signals.push({ ...record, ...place, appendedAt: 0 });
        return place;
      });
    },
    async committed(topic, group) {
      if (topic !== 'requests.signals') return log.committed(topic, group);
      return takes() ? new Map([[0, { offset: signals.length, metadata: '' }]]) : new Map();
    },
    async rewrite(topic, change) {
      if (topic !== 'requests.signals') return 0;
      let count = 0;
      for (const [index, record] of signals.entries()) {
        const changed = change(record);
        if (changed === null) continue;
        signals[index] = { ...record, ...changed };
        count += 1;
      }
      return count;
    },
    told: () =>
      signals.map(({ value }) => {
        const record = decodeSignalRecord(value);
        if (record.kind !== 'forget') throw new Error('a signal');
        return { websiteId: record.websiteId, address: record.address };
      }),
  };
}
