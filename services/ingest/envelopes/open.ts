import type { JsonRecord } from '../sources/util/source.js';
import { lineEnvelopes, recordEnvelopes } from './all-envelopes.js';
import { nothingInside } from './decode-text.js';
import type { Content, Unpacking } from './envelope.js';
import { unquoteLine } from './quoted-line.js';

/**
 * The contents of the record's first envelope; null if the record is not an envelope. A record that is a request may
 * have any text or list in its fields.
 */
export function openRecord(record: JsonRecord, unpacking: Unpacking): readonly Content[] | null {
  if (unpacking.isRequest(record)) return null;
  for (const envelope of recordEnvelopes) {
    const contents = envelope.open(record, unpacking);
    if (contents !== null) return contents.length === 0 ? nothingInside : contents;
  }
  return null;
}

/**
 * The line without its prefixes and the quotes around it. Prefixes may be nested: a container's log may have a line
 * of syslog.
 */
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
