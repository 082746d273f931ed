/** Cuts bytes into records or lines while they stream, and hands these to the handler that it was made with. */
export interface Splitter {
  onChunk(chunk: Buffer): void;
  /**
   * Ends the last record or line.
   * @param cut why the bytes are incomplete: an unfinished record is rejected for this reason
   */
  onEnd(cut?: string): void;
}
