import { parseJsonRecord } from '../text/parse-json.js';
import type { LineHandler } from './split-lines.js';
import { type RecordHandler, unwrapRecords } from './unwrap-records.js';

/** Newline-delimited JSON: each line is a record, an array or several objects. A broken line costs only itself. */

/** `number`: the line; or the place in the body, if records are not one per line. From 1. */
export type JsonHandler = RecordHandler;

/** @param splitLine cuts a line that holds several objects one after the other */
export function createJsonLineHandler(
  handler: JsonHandler,
  splitLine: (text: string, number: number) => void,
): LineHandler {
  return {
    onLine(text, number) {
      const value = parseJsonRecord(text);
      if (value !== undefined) unwrapRecords(value, number, handler);
      else if (holdsObjectAfterObject(text)) splitLine(text, number);
      else if (!/^[\s,]*$/.test(text)) handler.onInvalid(number, 'not valid JSON');
    },
    onInvalid: (number, reason) => handler.onInvalid(number, reason),
  };
}

const CLOSE_OBJECT = '}';
const COMMA = 44;
const OPEN_OBJECT = 123;

/**
 * Whether an opening brace follows a closing one, with white space and at most one comma between. It reads every
 * character at most twice; a regular expression would take quadratic time in the white space.
 */
function holdsObjectAfterObject(text: string): boolean {
  for (let close = text.indexOf(CLOSE_OBJECT); close !== -1; ) {
    let at = afterSpace(text, close + 1);
    if (text.charCodeAt(at) === COMMA) at = afterSpace(text, at + 1);
    if (text.charCodeAt(at) === OPEN_OBJECT) return true;
    close = text.indexOf(CLOSE_OBJECT, at);
  }
  return false;
}

/** Index of the first character from `at` that is not white space of JSON. */
function afterSpace(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); code === 32 || (code >= 9 && code <= 13); )
    code = text.charCodeAt(++end);
  return end;
}
