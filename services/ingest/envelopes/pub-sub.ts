import type { JsonRecord } from '../sources/util/source.js';
import { contentsOf, decodeMessage, nothingInside } from './decode-text.js';
import type { RecordEnvelope } from './envelope.js';

/** A message that Google Cloud Pub/Sub pushes: `{"message": {"data": base64, …}, "subscription": "…"}`. */
export const pubSub: RecordEnvelope = {
  name: 'pub-sub',
  open(record, unpacking) {
    const { message } = record;
    if (typeof message !== 'object' || message === null || typeof record.subscription !== 'string')
      return null;
    const { data } = message as JsonRecord;
    // A message with only attributes has no log.
    if (data === undefined || data === '') return nothingInside;
    if (typeof data !== 'string') return [{ reject: 'message.data: not text' }];
    const text = decodeMessage(data, unpacking);
    return text === null
      ? [{ reject: 'message.data: not base64, or compression that is damaged or too large' }]
      : contentsOf(text);
  },
};
