/** Where a frame begins: how much memory it asks for (RFC 8878 §3.1.1). */

export interface FrameHead {
  /** Bytes of the past that the decoder must keep; 0 for a frame that is skipped. */
  readonly windowBytes: number;
}

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

export function isZstd(head: Uint8Array): boolean {
  return head.length >= 4 && readMagic(head) === MAGIC;
}

/**
 * @param bytes from the frame's first byte on
 * @returns null where more bytes are needed, 18 at most.
 * @throws Error for what is no frame.
 */
export function readFrameHead(bytes: Uint8Array): FrameHead | null {
  if (bytes.length < 4) return null;
  const magic = readMagic(bytes);
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) return { windowBytes: 0 };
  if (magic !== MAGIC) throw new Error('no zstd frame begins here');
  if (bytes.length < 6) return null;
  const descriptor = bytes[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if (!isSingleSegment) {
    const base = 2 ** (10 + (bytes[5]! >> 3));
    return { windowBytes: base + (base / 8) * (bytes[5]! & 7) };
  }
  // Without a window of its own the whole content is the window.
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const size = [1, 2, 4, 8][descriptor >> 6]!;
  if (bytes.length < at + size) return null;
  let content = 0;
  for (let place = size - 1; place >= 0; place--) content = content * 256 + bytes[at + place]!;
  return { windowBytes: size === 2 ? content + 256 : content };
}

function readMagic(bytes: Uint8Array): number {
  return (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
}
