import { workInParts } from '../../../shared/pacing/large-answers.js';
import { shortText } from '../../../shared/reads/sql/cut-text.js';
import { type EncodedBody, encodedBytes } from './encoded-body.js';

/** List entries that are encoded without a pause; each may have about ten kilobytes. */
const ENTRIES = 16;
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
  if (Array.isArray(value)) yield* partsOfList(value, fullTexts);
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
  const nested = list.some(holdsLists);
  for (let at = 0; at < list.length; at += nested ? 1 : ENTRIES) {
    yield before;
    if (nested) yield* partsOf(fullTexts ? list[at] : shortTexts(list[at]), fullTexts);
    else {
      const entries = list.slice(at, at + ENTRIES);
      yield JSON.stringify(fullTexts ? entries : entries.map(shortTexts)).slice(1, -1);
    }
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
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

/** @returns whether an entry contains lists or objects, which may have many entries themselves. */
function holdsLists(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).some((field) => typeof field === 'object' && field !== null);
}
