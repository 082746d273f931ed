/**
 * Takes out of a text body the control characters that programs on its way put between and around records: the NUL bytes that a log rotated by
 * copying begins with (logrotate's copytruncate), the record separators of RFC 7464, and the colours of a terminal. Servers escape such bytes of clients.
 */
export interface ControlStripper {
  /** The chunk as it is where it has none of these. */
  push(chunk: Buffer): Buffer;
  /** Bytes that were kept back. */
  end(): Buffer;
}

const [NUL, LINE_FEED, ESCAPE, SEPARATOR] = [0, 10, 27, 30] as const;
const OPEN_LIST = 91;
const [LETTER_K, LETTER_M] = [75, 109];
/** `ESC [`, parameters, and a letter: longer sequences set no colour. */
const LONGEST_SEQUENCE = 24;
const nothing = Buffer.alloc(0);

export function createControlStripper(): ControlStripper {
  /** The begin of a sequence that the last chunk ended with. */
  let held: Buffer = nothing;
  let last: number = LINE_FEED;

  function strip(bytes: Buffer, isEnd: boolean): Buffer {
    const out = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === ESCAPE) {
        const end = endOfSequence(bytes, at);
        if (end === -1 && !isEnd) {
          held = Buffer.from(bytes.subarray(at));
          break;
        }
        if (end > at) at = end;
      } else if (byte !== NUL && byte !== SEPARATOR) {
        last = byte;
        out[length++] = byte;
      } else if (last !== LINE_FEED) {
        // What stands before it was cut off, or ends there.
        last = LINE_FEED;
        out[length++] = LINE_FEED;
      }
    }
    return out.subarray(0, length);
  }

  return {
    push(chunk) {
      if (
        held.length === 0 &&
        !chunk.includes(NUL) &&
        !chunk.includes(ESCAPE) &&
        !chunk.includes(SEPARATOR)
      ) {
        if (chunk.length > 0) last = chunk[chunk.length - 1]!;
        return chunk;
      }
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = nothing;
      return strip(bytes, false);
    },
    end() {
      const bytes = held;
      held = nothing;
      return bytes.length === 0 ? nothing : strip(bytes, true);
    },
  };
}

/** Index of the letter that ends a sequence; the index of the escape where it begins none, -1 where the bytes end before that is known. */
function endOfSequence(bytes: Buffer, at: number): number {
  const most = Math.min(bytes.length, at + LONGEST_SEQUENCE);
  for (let end = at + 1; end < most; end++) {
    const byte = bytes[end]!;
    if (end === at + 1 ? byte === OPEN_LIST : isParameter(byte)) continue;
    return end > at + 1 && (byte === LETTER_M || byte === LETTER_K) ? end : at;
  }
  return most < at + LONGEST_SEQUENCE ? -1 : at;
}

/** A digit, a colon or a semicolon (ECMA-48 §5.4). */
function isParameter(byte: number): boolean {
  return byte >= 48 && byte <= 59;
}
