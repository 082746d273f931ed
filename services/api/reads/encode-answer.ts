import { workInParts } from '../../../shared/large-answers.js';
import { type EncodedBody, encodedBytes } from './encoded-body.js';

/** Entries of a list that are written at once: each may have some ten kilobytes. */
const ENTRIES = 16;
/** Characters that become bytes at once. */
const PIECE = 64 * 1024;

/**
 * An answer as JSON, the same text as JSON.stringify writes; a large one in parts, between which other calls go on.
 * @param answer plain data
 */
export function encodeAnswer(answer: object): Promise<EncodedBody> {
  const parts = partsOf(answer);
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

/** Not a slice of Node's pool: one that is kept would hold the rest of it. */
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

function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* partsOfList(value);
  else if (typeof value === 'object' && value !== null) yield* partsOfObject(value);
  else yield JSON.stringify(value) ?? 'null';
}

function* partsOfObject(value: object): Generator<string> {
  let before = '{';
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(field);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* partsOfList(list: readonly unknown[]): Generator<string> {
  let before = '[';
  const nested = list.some(holdsLists);
  for (let at = 0; at < list.length; at += nested ? 1 : ENTRIES) {
    yield before;
    if (nested) yield* partsOf(list[at]);
    else yield JSON.stringify(list.slice(at, at + ENTRIES)).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Lists and objects in an entry may have many entries themselves. */
function holdsLists(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).some((field) => typeof field === 'object' && field !== null);
}
