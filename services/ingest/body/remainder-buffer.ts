import { decodeBytes } from '../text/decode-bytes.js';

export interface RemainderBuffer {
  readonly empty: boolean;
  /** More came than fits; the bytes are gone. */
  readonly overflowed: boolean;
  /** Bytes held. */
  readonly length: number;
  add(chunk: Buffer, from: number, to: number): void;
  /** The text so far; empty again afterwards. */
  take(): string;
  /** The bytes so far, a view of what the next will overwrite; empty again afterwards. */
  takeBytes(): Buffer;
  /** The text so far, kept. */
  peek(): string;
  clear(): void;
}

/**
 * Bytes of an unfinished record, at most `maxBytes`. Copied into one growing buffer: keeping the chunks themselves
 * would hold a whole socket read for every byte that a slow sender trickles in.
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
