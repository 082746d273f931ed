/**
 * A block of a named upload ends after so many inflated bytes even if it holds little, since its texts keep the chunk in
 * memory.
 */
const STRETCH_BYTES = 512 * 1024;

export interface BodyPiece {
  readonly bytes: Buffer;
  /** The body is at a multiple of {@link STRETCH_BYTES} behind it. */
  readonly endsStretch: boolean;
}

/**
 * Cuts a chunk where a stretch of the body ends: chunks come as the network likes, stretches are the same each time.
 * @param offset bytes of the body before the chunk
 */
export function* cutAtStretches(chunk: Buffer, offset: number): Generator<BodyPiece> {
  for (let from = 0; from < chunk.length; ) {
    const left = STRETCH_BYTES - ((offset + from) % STRETCH_BYTES);
    const to = Math.min(chunk.length, from + left);
    yield { bytes: chunk.subarray(from, to), endsStretch: to - from === left };
    from = to;
  }
}
