/**
 * A block of a named upload ends after this many inflated bytes even if it has few rows, because its texts keep the
 * chunk in memory.
 */
const STRETCH_BYTES = 512 * 1024;

export interface BodyPiece {
  readonly bytes: Buffer;
  /** Whether the piece ends at a multiple of {@link STRETCH_BYTES}. */
  readonly endsStretch: boolean;
}

/**
 * Cuts a chunk where a stretch of the body ends. The network decides the chunks; stretches are the same in each repeat.
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
