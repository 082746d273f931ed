import type { Tally } from '../../../services/ingest/outcomes/tally.js';
import { parseJson } from '../../../services/ingest/text/parse-json.js';

/** Counts the records of a body without the program's own code, and checks that each is in exactly one count of the upload. */

/** They are removed and end no record: docs/log-format.md, "Body". */
const SEPARATORS = ['\0', '\x1e'];
const ESCAPE = '\x1b';
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d:;]*[mK]`, 'g');
const HEADER = '#';

/** Lines of text, each one record. */
export function checkTextCounts(tally: Tally, body: Buffer): void {
  const sent = recordsIn(body).filter((text) => tally.source !== 'w3c' || !text.startsWith(HEADER));
  checkTally(tally, sent.length, sent.length);
}

/**
 * Lines of JSON. A broken line counts at least once, because the intended number of records is unknown.
 * @param others records of the lines besides the wrong one
 */
export function checkJsonCounts(tally: Tally, wrong: Buffer, others: number): void {
  // A single comma is only a separator.
  const records = recordsIn(wrong).filter((text) => /[^,\s]/.test(text));
  const isWhole = records.every((text) => isObject(text));
  checkTally(tally, others + records.length, isWhole ? others + records.length : Number.POSITIVE_INFINITY);
}

/** @throws if a record is in no count, or in more than one. */
function checkTally({ parsed, rejected, skipped }: Tally, least: number, most: number): void {
  const counted = parsed + rejected + skipped;
  if (counted < least || counted > most)
    throw new Error(`${counted} records are counted, not ${least} to ${most}`);
}

function recordsIn(body: Buffer): string[] {
  // Bytes that are not UTF-8 are not white space.
  const text = SEPARATORS.reduce((all, one) => all.replaceAll(one, ''), body.toString('latin1'));
  const pieces = text.split('\n');
  return pieces.map((piece) => piece.replace(COLOURS, '')).filter((piece) => /[^\t\v\f\r ]/.test(piece));
}

function isObject(text: string): boolean {
  const value = parseJson(Buffer.from(text, 'latin1').toString());
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
