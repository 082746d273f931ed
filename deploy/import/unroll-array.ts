/**
 * Converts a file with one JSON array to one record per line, so it can be cut. Other files are not changed. Only brackets and quotes
 * are parsed; ingest validates the records.
 */

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const LINE_FEED = 10;
const SPACE = 32;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Enough bytes to recognise an array after a byte order mark and white space. */
const HEAD_BYTES = 4_096;

export async function* unrollArray(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let ended = false;
  let failure: { readonly error: unknown } | null = null;
  while (!ended && head.length < HEAD_BYTES) {
    try {
      const next = await source.next();
      if (next.done) ended = true;
      else head = Buffer.concat([head, next.value]);
    } catch (error) {
      failure = { error };
      ended = true;
    }
  }
  const unroll = isArray(head) ? createUnroller() : (chunk: Buffer) => chunk;
  if (head.length > 0) yield unroll(head);
  if (failure !== null) throw failure.error;
  for (let next = await source.next(); !next.done; next = await source.next()) yield unroll(next.value);
}

/** An array of objects, as opposed to a line that starts with a time in brackets. */
function isArray(head: Buffer): boolean {
  const text = head.subarray(head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0).toString('latin1');
  return /^\s*\[\s*\{/.test(text);
}

function createUnroller(): (chunk: Buffer) => Buffer {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return (chunk) => {
    // The output has the same length: a comma between two records becomes a line end.
    const out = Buffer.allocUnsafe(chunk.length);
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      out[at] = Math.max(byte, SPACE);
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth++ === 0 && byte === OPEN_LIST) out[at] = SPACE;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (--depth === 0 && byte === CLOSE_LIST) out[at] = LINE_FEED;
        if (depth < 0) depth = 0;
      } else if (byte === COMMA && depth <= 1) out[at] = LINE_FEED;
    }
    return out;
  };
}
