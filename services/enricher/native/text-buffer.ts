/** Strings in the Native format: the length in bytes as a varint, then UTF-8. */
export interface TextBuffer {
  add(text: string): void;
  /** Bytes so far. */
  readonly length: number;
  /** Bytes of its buffer, including capacity for removed texts. */
  readonly room: number;
  /** Removes all bytes after the first `length`. */
  truncate(length: number): void;
  bytes(): Buffer;
}

const FIRST_BYTES = 256;
/** Most UTF-8 bytes of a UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;
const LONGEST_VARINT = 5;
/**
 * Most characters of a text that is written character by character if it is ASCII, which is faster than a
 * call.
 */
const LONGEST_SHORT = 60;

export function createTextBuffer(): TextBuffer {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let used = 0;

  function reserve(bytes: number): void {
    if (used + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, used + bytes));
    buffer.copy(larger, 0, 0, used);
    buffer = larger;
  }

  return {
    add(text) {
      const most = MOST_BYTES_PER_UNIT * text.length;
      reserve(LONGEST_VARINT + most);
      if (text.length <= LONGEST_SHORT && writeAscii(buffer, used + 1, text)) {
        buffer[used] = text.length;
        used += 1 + text.length;
        return;
      }
      if (most < 0x80) {
        buffer[used] = buffer.write(text, used + 1);
        used += 1 + (buffer[used] as number);
        return;
      }
      used = writeVarint(buffer, used, Buffer.byteLength(text));
      used += buffer.write(text, used);
    },
    get length() {
      return used;
    },
    get room() {
      return buffer.length;
    },
    truncate(length) {
      used = Math.min(used, length);
    },
    bytes: () => buffer.subarray(0, used),
  };
}

/** @returns whether all of it was ASCII; otherwise the written bytes are invalid */
function writeAscii(buffer: Buffer, offset: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) return false;
    buffer[offset + at] = code;
  }
  return true;
}

/** @returns the offset after it */
export function writeVarint(buffer: Buffer, offset: number, value: number): number {
  let rest = value;
  let end = offset;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buffer[end++] = (rest % 0x80) + 0x80;
  buffer[end++] = rest;
  return end;
}
