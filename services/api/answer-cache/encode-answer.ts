import { workInParts } from '../../../shared/pacing/large-answers.js';
import { shortText } from '../../../shared/reads/sql/cut-text.js';
import { type EncodedBody, encodedBytes } from './encoded-body.js';

/** Weight of a value that is encoded as a whole: about its characters, without escapes. */
const WHOLE = 16 * 1024;
/** Weight of a value besides its text. */
const VALUE = 8;
/** Texts up to this length are never cut (cut-text.ts). */
const NEVER_CUT = 300;
/** Characters that are converted to bytes without a pause. */
const PIECE = 64 * 1024;

/**
 * Encodes an answer as JSON. A large one is encoded in parts, so that other calls proceed in between. Long foreign texts in lists are cut.
 * @param answer plain data
 * @param fullTexts cut no text
 */
export function encodeAnswer(answer: object, fullTexts = false): Promise<EncodedBody> {
  const parts = partsOf(answer, fullTexts);
  const small = takePiece(parts);
  if (small.isLast) return Promise.resolve(encodedBytes(bytesOf(small.text)));
  return workInParts(async (giveTurn) => {
    const pieces = [Buffer.from(small.text)];
    for (let isLast = false; !isLast; ) {
      await giveTurn();
      const piece = takePiece(parts);
      pieces.push(Buffer.from(piece.text));
      isLast = piece.isLast;
    }
    return encodedBytes(Buffer.concat(pieces));
  });
}

/** Not a slice of Node's buffer pool: a cached slice would keep the whole pool in memory. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function takePiece(parts: Iterator<string>): { text: string; isLast: boolean } {
  let text = '';
  while (text.length < PIECE) {
    const next = parts.next();
    if (next.done) return { text, isLast: true };
    text += next.value;
  }
  return { text, isLast: false };
}

function* partsOf(value: unknown, fullTexts: boolean): Generator<string> {
  if (weigh(value, WHOLE, fullTexts) >= 0) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* partsOfList(value, fullTexts);
  else if (typeof value === 'object' && value !== null) yield* partsOfObject(value, fullTexts);
  else yield JSON.stringify(value) ?? 'null';
}

function* partsOfObject(value: object, fullTexts: boolean): Generator<string> {
  let before = '{';
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(field, fullTexts);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* partsOfList(list: readonly unknown[], fullTexts: boolean): Generator<string> {
  let before = '[';
  for (let at = 0; at < list.length; ) {
    yield before;
    before = ',';
    const end = endOfWhole(list, at, fullTexts);
    if (end > at) yield JSON.stringify(list.slice(at, end)).slice(1, -1);
    else yield* partsOf(fullTexts ? list[at] : shortTexts(list[at]), fullTexts);
    at = Math.max(end, at + 1);
  }
  yield before === '[' ? '[]' : ']';
}

/** The end of the entries from `at` that can be encoded together, as they are. */
function endOfWhole(list: readonly unknown[], at: number, fullTexts: boolean): number {
  let left = WHOLE;
  let end = at;
  for (; end < list.length; end++) {
    left = weigh(list[end], left, fullTexts);
    if (left < 0) break;
  }
  return end;
}

/** @returns the weight that is left; negative if the value is too large for it, or has a text that may be cut. */
function weigh(value: unknown, left: number, fullTexts: boolean): number {
  if (typeof value === 'string')
    return value.length > NEVER_CUT && !fullTexts ? -1 : left - VALUE - value.length;
  let rest = left - VALUE;
  if (typeof value !== 'object' || value === null) return rest;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest >= 0; at++) rest = weigh(value[at], rest, fullTexts);
    return rest;
  }
  for (const name in value) {
    rest = weigh(value[name as keyof typeof value], rest, fullTexts);
    if (rest < 0) break;
  }
  return rest;
}

/** Fields with text from clients or website authors. */
const outsidersTexts = new Set([
  'path',
  'url',
  'query',
  'user_agent',
  'sample_user_agent',
  'referrer',
  'example_url',
  'top_path',
  'url_path',
  'canonical',
]);

/** An entry of a list with its long texts cut. An entry without long texts is returned unchanged. */
function shortTexts(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  const fields = Object.entries(entry);
  if (!fields.some(([name, field]) => shortField(name, field) !== field)) return entry;
  return Object.fromEntries(fields.map(([name, field]) => [name, shortField(name, field)]));
}

function shortField(name: string, field: unknown): unknown {
  return typeof field === 'string' && outsidersTexts.has(name) ? shortText(field) : field;
}
