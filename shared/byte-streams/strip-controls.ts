/**
 * Removes control characters that programs put between and around the records of a text body. These are the NUL bytes
 * at the beginning of a log rotated by copying (copytruncate), RFC 7464's record separators, and terminal colours.
 * Clients may also send these characters, so none of them ends a line: text after one within a line never becomes a
 * separate record.
 */
export interface ControlStripper {
  /**
   * Returns the chunk unchanged if it has none of these characters. A hole within a line leaves one NUL byte, which
   * marks the line as broken.
   */
  strip(chunk: Buffer): Buffer;
  /** Bytes that were buffered. */
  end(): Buffer;
}

const [NUL, LINE_FEED, ESCAPE, SEPARATOR] = [0, 10, 27, 30] as const;
const OPEN_LIST = 91;
const RETURN = 13;
/** This many NUL bytes within a line are a hole in the file: two lines are incomplete. */
const SHORTEST_HOLE = 64;
const [LETTER_K, LETTER_M] = [75, 109];
/** `ESC [`, parameters, and a letter. Longer sequences set no colour. */
const LONGEST_SEQUENCE = 24;
const nothing = Buffer.alloc(0);

export function createControlStripper(): ControlStripper {
  /** Incomplete sequence at the end of the last chunk. */
  let held: Buffer = nothing;
  let last: number = LINE_FEED;
  /** NUL bytes after `last`. */
  let nuls = 0;

  function stripBytes(bytes: Buffer, isEnd: boolean): Buffer {
    // One byte more: a hole of the last chunk may put its NUL byte into this one.
    const out = Buffer.allocUnsafe(bytes.length + 1);
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
      } else if (byte === NUL) nuls++;
      else if (byte !== SEPARATOR) {
        const isHole = nuls >= SHORTEST_HOLE && last !== LINE_FEED;
        if (isHole && byte !== LINE_FEED && byte !== RETURN) out[length++] = NUL;
        nuls = 0;
        last = byte;
        out[length++] = byte;
      }
    }
    return out.subarray(0, length);
  }

  return {
    strip(chunk) {
      if (
        held.length === 0 &&
        nuls === 0 &&
        !chunk.includes(NUL) &&
        !chunk.includes(ESCAPE) &&
        !chunk.includes(SEPARATOR)
      ) {
        if (chunk.length > 0) last = chunk[chunk.length - 1]!;
        return chunk;
      }
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = nothing;
      return stripBytes(bytes, false);
    },
    end() {
      const bytes = held;
      held = nothing;
      return bytes.length === 0 ? nothing : stripBytes(bytes, true);
    },
  };
}

/**
 * Index of the letter that ends a sequence; `at` if no sequence begins there; -1 if the bytes end too early to decide.
 */
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
