/** Writes zstd for tests: frames of stored blocks, without a compressor. */

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** 1 MiB. */
const USUAL_WINDOW = 10 << 3;
const BLOCK_BYTES = 128 * 1024;

/** 40 equal lines of an access log for /shoes, by `zstd --check`. */
export const forty = Buffer.from(
  'KLUv/QRYhQIA4kQRGHBLdXD8G8iDoGO4FgxwN5mS4K0B6FFsAkcek147S35HxFqHNtZgNOwiGEgVtg2ojUJXySqQTlywAp4nWloqOPt3dGnwAQDO9yI/RAFpYWgW',
  'base64',
);

/**
 * One frame.
 * @param window its byte of RFC 8878 §3.1.1.1.2
 */
export function storeZstd(content: Buffer, window = USUAL_WINDOW): Buffer {
  const parts: Buffer[] = [MAGIC, Buffer.from([0, window])];
  for (let at = 0; at === 0 || at < content.length; at += BLOCK_BYTES) {
    const block = content.subarray(at, at + BLOCK_BYTES);
    parts.push(blockHead(0, block.length, at + BLOCK_BYTES >= content.length), block);
  }
  return Buffer.concat(parts);
}

/** One frame of blocks that each repeat a byte 128 Ki times: 32,768 times the sent size. */
export function zstdBomb(blocks: number, byte: number): Buffer {
  const parts: Buffer[] = [MAGIC, Buffer.from([0, USUAL_WINDOW])];
  for (let block = 1; block <= blocks; block++)
    parts.push(blockHead(1, BLOCK_BYTES, block === blocks), Buffer.from([byte]));
  return Buffer.concat(parts);
}

/**
 * One frame whose content is its window.
 * @param contentBytes content size in the frame header
 */
export function singleSegment(contentBytes: bigint): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(contentBytes);
  return Buffer.concat([MAGIC, Buffer.from([0xe0]), size, blockHead(0, 0, true)]);
}

export function skippable(content: Buffer): Buffer {
  const head = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

function blockHead(type: number, size: number, isLast: boolean): Buffer {
  const value = (size << 3) | (type << 1) | Number(isLast);
  return Buffer.from([value & 255, (value >> 8) & 255, value >> 16]);
}
