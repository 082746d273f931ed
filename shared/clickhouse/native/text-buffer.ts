/** Strings as the Native format has them: the length in bytes as a varint, then UTF-8. */
export interface TextBuffer {
  add(text: string): void;
  /** Bytes so far. */
  readonly length: number;
  /** Forgets all bytes behind the first `length`. */
  truncate(length: number): void;
  bytes(): Buffer;
}

const FIRST_BYTES = 4096;
/** No UTF-16 unit takes more bytes in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;
const LONGEST_VARINT = 5;

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
    truncate(length) {
      used = Math.min(used, length);
    },
    bytes: () => buffer.subarray(0, used),
  };
}

/** @returns the offset behind it. */
export function writeVarint(buffer: Buffer, offset: number, value: number): number {
  let rest = value;
  let end = offset;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buffer[end++] = (rest % 0x80) + 0x80;
  buffer[end++] = rest;
  return end;
}
