import { readRecord } from '../sources/util/read-record.js';
import { parseJson } from '../text/parse-json.js';
import { contentsOf, decodeMessage, MOST_CONTENTS, nothingInside, tooMany } from './decode-text.js';
import type { Content, RecordEnvelope } from './envelope.js';

/**
 * A record of Amazon Data Firehose's HTTP contract: `{"data": base64}`; CloudWatch Logs puts its compressed batch
 * into it.
 */
export const firehose: RecordEnvelope = {
  name: 'firehose',
  open(record, unpacking) {
    if (typeof record.data !== 'string' || Object.keys(record).length !== 1) return null;
    if (record.data === '') return nothingInside;
    const text = decodeMessage(record.data, unpacking);
    if (text === null) return [{ reject: 'data: not base64, or compression that is damaged or too large' }];
    return cloudWatchContents(text) ?? contentsOf(text);
  },
};

/** The messages of CloudWatch Logs; its test messages have no content. */
function cloudWatchContents(text: string): readonly Content[] | null {
  if (!text.includes('"messageType"')) return null;
  const value = readRecord(parseJson(text));
  if (!Array.isArray(value.logEvents)) return null;
  if (value.messageType === 'CONTROL_MESSAGE') return nothingInside;
  const contents: Content[] = [];
  for (const event of value.logEvents as readonly unknown[]) {
    const { message } = readRecord(event);
    if (typeof message !== 'string') contents.push({ reject: 'logEvents: an event without a message' });
    else for (const content of contentsOf(message)) contents.push(content);
    if (contents.length > MOST_CONTENTS) return tooMany;
  }
  return contents;
}
