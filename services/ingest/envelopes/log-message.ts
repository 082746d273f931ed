import { readRecord } from '../sources/read-record.js';
import type { JsonRecord } from '../sources/source.js';
import { contentsOf } from './decode-text.js';
import type { RecordEnvelope } from './envelope.js';

/**
 * A shipper's event around a line that it read: Vector, Fluentd, Logstash and Filebeat call it `message`, Fluent Bit and
 * Docker `log`, journald `MESSAGE`; Logstash and Filebeat keep the line as it was in `event.original`.
 */
export const logMessage: RecordEnvelope = {
  name: 'log-message',
  open(record) {
    const text = textOf(record);
    return text === null ? null : contentsOf(text);
  },
};

function textOf(record: JsonRecord): string | null {
  const original = readRecord(record.event).original ?? record['event.original'];
  for (const value of [original, record.message, record.log, record.MESSAGE]) {
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
