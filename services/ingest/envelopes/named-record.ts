import { isRecord } from '../sources/util/read-record.js';
import type { RecordEnvelope } from './envelope.js';
import { textOf } from './log-message.js';

/** Names that Logpush templates and shippers put around each record: `{"info": {…}}`, with fields of their own beside it. */
const names = ['info', 'event', 'record'] as const;

export const namedRecord: RecordEnvelope = {
  name: 'named-record',
  open(record, unpacking) {
    for (const name of names) {
      const inner = record[name];
      if (!isRecord(inner)) continue;
      // Elastic's `event` describes the event whose text is in another field.
      if (unpacking.isRequest(inner) || textOf(record) === null) return [{ record: inner }];
    }
    return null;
  },
};
