import { decodeBytes } from '../text/decode-bytes.js';

export interface RemainderBuffer {
  readonly empty: boolean;
  /** Whether more bytes came than fit; they are dropped. */
  readonly overflowed: boolean;
  /** Buffered bytes. */
  readonly length: number;
  add(chunk: Buffer, from: number, to: number): void;
  /** Returns the text so far and empties the buffer. */
  take(): string;
  /** Returns the bytes so far and empties the buffer. They are a view, which the next bytes overwrite. */
  takeBytes(): Buffer;
  /** Returns the text so far and keeps it. */
  peek(): string;
  clear(): void;
}

/**
 * Buffers at most `maxBytes` bytes of an unfinished record. They are copied into one growing buffer. Chunks would
 * keep a whole socket read in memory for every byte of a slow sender.
 */
export function createRemainderBuffer(maxBytes: number): RemainderBuffer {
  let bytes = Buffer.alloc(0);
  let length = 0;
  let overflowed = false;
  return {
    get empty() {
      return length === 0 && !overflowed;
    },
    get overflowed() {
      return overflowed;
    },
    get length() {
      return length;
    },
    add(chunk, from, to) {
      const added = to - from;
      if (added <= 0 || overflowed) return;
      if (length + added > maxBytes) {
        overflowed = true;
        length = 0;
        return;
      }
      if (length + added > bytes.length) {
        const grown = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(4_096, 2 * (length + added))));
        bytes.copy(grown, 0, 0, length);
        bytes = grown;
      }
      chunk.copy(bytes, length, from, to);
      length += added;
    },
    take() {
      const text = decodeBytes(bytes, 0, length);
      length = 0;
      return text;
    },
    takeBytes() {
      const taken = bytes.subarray(0, length);
      length = 0;
      return taken;
    },
    peek: () => decodeBytes(bytes, 0, length),
    clear() {
      length = 0;
      overflowed = false;
    },
  };
}
