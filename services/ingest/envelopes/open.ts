import type { JsonRecord } from '../sources/util/source.js';
import { lineEnvelopes, recordEnvelopes } from './all-envelopes.js';
import { nothingInside } from './decode-text.js';
import type { Content, Unpacking } from './envelope.js';
import { unquoteLine } from './quoted-line.js';

/** The contents of the record's first envelope; null where the record is no envelope. A record with its own request may have any other text or list. */
export function openRecord(record: JsonRecord, unpacking: Unpacking): readonly Content[] | null {
  if (unpacking.isRequest(record)) return null;
  for (const envelope of recordEnvelopes) {
    const contents = envelope.open(record, unpacking);
    if (contents !== null) return contents.length === 0 ? nothingInside : contents;
  }
  return null;
}

/** The line behind its prefixes and without quotes around it: a container's log may hold one of syslog. */
export function openLine(line: string): string {
  let text = line;
  for (let opened = 0; opened < MOST_PREFIXES; opened++) {
    const end = endOfPrefix(text);
    if (end === 0) break;
    text = text.slice(end);
  }
  return unquoteLine(text);
}

const MOST_PREFIXES = 3;

function endOfPrefix(line: string): number {
  for (const envelope of lineEnvelopes) {
    const end = envelope.endOfPrefix(line);
    if (end > 0) return end;
  }
  return 0;
}
