import { contentOfValue, MOST_CONTENTS, tooMany } from './decode-text.js';
import type { Content, RecordEnvelope } from './envelope.js';

/** Names of the list of records in a batch: `{"records": [{…}, …]}`. The batch may have other fields. */
const names = ['events', 'logs', 'records', 'data'] as const;

export const namedList: RecordEnvelope = {
  name: 'named-list',
  open(record) {
    let contents: Content[] | null = null;
    for (const name of names) {
      const list = record[name];
      if (!Array.isArray(list)) continue;
      if (list.length > MOST_CONTENTS) return tooMany;
      contents = [...(contents ?? []), ...list.map(contentOfValue)];
    }
    return contents;
  },
};
