/** Header of a frame, with its memory requirement (RFC 8878 §3.1.1). */

export interface FrameHead {
  /** Size of the window; 0 for a skippable frame. */
  readonly windowBytes: number;
}

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

export function isZstd(head: Uint8Array): boolean {
  return head.length >= 4 && readMagic(head) === MAGIC;
}

/**
 * @param bytes from the frame's first byte on
 * @returns null if more bytes are needed, at most 18.
 * @throws Error if no frame begins at the first byte.
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
  // A frame without a window descriptor has its whole content as the window.
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
