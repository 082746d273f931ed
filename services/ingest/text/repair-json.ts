import { decodeBytes } from './decode-bytes.js';

/**
 * Repairs JSON that servers write with plain text formats. nginx (without `escape=json`), Apache and lighttpd write a
 * byte as `\xHH`, and a missing number as nothing or `-`. A client decides whether its request has such bytes. So the
 * record must be read: otherwise a client could hide its requests from every figure.
 */

const [LINE_FEED, QUOTE, COMMA, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  10, 34, 44, 58, 91, 92, 93, 123, 125,
] as const;
const SPACE = 32;

/** Text with a few pieces replaced. */
interface Edit {
  readonly text: string;
  readonly pieces: string[];
  /** Index of the first character that is not yet in the pieces. */
  kept: number;
}

/** @returns the text as valid JSON; null if there is nothing to repair. Takes linear time */
export function repairJson(text: string): string | null {
  const edit: Edit = { text, pieces: [], kept: 0 };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = repairString(edit, at + 1);
    else if (code === COLON) at = repairNumber(edit, at + 1);
    else at++;
  }
  if (edit.pieces.length === 0) return null;
  return edit.pieces.join('') + text.slice(edit.kept);
}

function replace(edit: Edit, from: number, to: number, by: string): number {
  edit.pieces.push(edit.text.slice(edit.kept, from), by);
  edit.kept = to;
  return to;
}

/** @returns index after the closing quote */
function repairString(edit: Edit, from: number): number {
  const { text } = edit;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at = repairEscape(edit, at);
    // A line end shows that the record was cut off.
    else if (code < SPACE && code !== LINE_FEED) at = replace(edit, at, at + 1, escaped(text[at]!));
    else at++;
  }
  return text.length;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const BYTES = /(?:\\x[\dA-Fa-f]{2})+/y;

/** @returns index after the escape; a backslash without an escape is part of the text */
function repairEscape(edit: Edit, at: number): number {
  const { text } = edit;
  const known = endOfMatch(ESCAPE, text, at);
  if (known !== at) return known;
  const bytesEnd = endOfMatch(BYTES, text, at);
  if (bytesEnd !== at) {
    const bytes = Buffer.from(text.slice(at, bytesEnd).replaceAll('\\x', ''), 'hex');
    return replace(edit, at, bytesEnd, escaped(decodeBytes(bytes)));
  }
  if (text[at + 1] === 'v') return replace(edit, at, at + 2, '\\u000b');
  return replace(edit, at, at + 1, '\\\\');
}

/** @param pattern sticky */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The text as the content of a JSON string. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

const LONGEST_NUMBER = 128;
const NUMBERS = /^[\d.,:+\- ]*$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Repairs a value without quotes: nothing, `-`, `000`, an address or a list of numbers becomes text. A word is
 * unchanged, because it may be the client's.
 * @param from index after the colon
 * @returns index after the value
 */
function repairNumber(edit: Edit, from: number): number {
  const { text } = edit;
  const start = behindSpace(text, from);
  const first = text.charCodeAt(start);
  if (first === QUOTE || first === OPEN_OBJECT || first === OPEN_LIST) return start;
  const end = endOfBare(text, start);
  if (end - start > LONGEST_NUMBER) return end;
  const written = text.slice(start, end).trimEnd();
  if (!NUMBERS.test(written) || JSON_NUMBER.test(written)) return end;
  return replace(edit, start, end, JSON.stringify(written));
}

/** Index of the comma before the next name, or of the closing bracket. */
function endOfBare(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === CLOSE_OBJECT || code === CLOSE_LIST || code === LINE_FEED) return at;
    if (code !== COMMA) at++;
    else {
      const next = behindSpace(text, at + 1);
      if (text.charCodeAt(next) === QUOTE || text.charCodeAt(next) === CLOSE_OBJECT) return at;
      at = next;
    }
  }
  return at;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}
