import { readRecord } from '../sources/util/read-record.js';
import { contentsOf, MOST_CONTENTS, tooMany } from './decode-text.js';
import type { Content, RecordEnvelope } from './envelope.js';

/** A push to Loki in JSON: `{"streams": [{"stream": {labels}, "values": [[time, line, metadata], …]}]}` (Loki's HTTP API). */
export const lokiPush: RecordEnvelope = {
  name: 'loki-push',
  open(record) {
    if (!Array.isArray(record.streams) || Object.keys(record).length !== 1) return null;
    const contents: Content[] = [];
    for (const stream of record.streams as readonly unknown[]) {
      addEntries(contents, readRecord(stream).values);
      if (contents.length > MOST_CONTENTS) return tooMany;
    }
    return contents;
  },
};

function addEntries(contents: Content[], values: unknown): void {
  if (!Array.isArray(values)) {
    contents.push({ reject: 'streams: a stream without values' });
    return;
  }
  for (const value of values as readonly unknown[]) {
    const line: unknown = Array.isArray(value) ? value[1] : undefined;
    if (typeof line !== 'string') contents.push({ reject: 'values: an entry without a line' });
    else for (const content of contentsOf(line)) contents.push(content);
    if (contents.length > MOST_CONTENTS) return;
  }
}
