import { words } from '../sources/util/cut-text.js';
import { isRecord } from '../sources/util/read-record.js';
import type { JsonRecord } from '../sources/util/source.js';
import { contentsOf } from './decode-text.js';
import type { Content, RecordEnvelope } from './envelope.js';

/** Names that accompany an event of Splunk's HTTP Event Collector. */
const metadata: ReadonlySet<string> = new Set(words('event time host source sourcetype index fields'));

/** An event of Splunk's HTTP Event Collector: `{"time": …, "event": "line"}`. Docker's driver puts the line into an object. */
export const splunkEvent: RecordEnvelope = {
  name: 'splunk-event',
  open(record) {
    if (record.event === undefined || !Object.keys(record).every((name) => metadata.has(name))) return null;
    const { event } = record;
    if (!isRecord(event)) return contentsOfEvent(event);
    // An object without a line is a record under a name (named-record.ts), or describes one.
    return event.line === undefined ? null : contentsOfEvent(event.line);
  },
};

function contentsOfEvent(event: unknown): readonly Content[] {
  if (typeof event === 'string') return contentsOf(event);
  return [
    isRecord(event)
      ? { record: event satisfies JsonRecord }
      : { reject: 'event: not text, and not a JSON object' },
  ];
}
