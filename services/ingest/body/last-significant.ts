const [TAB, LINE_FEED, RETURN, SPACE] = [9, 10, 13, 32];

/** A byte that is not white space. */
export interface Significant {
  readonly byte: number;
  /** Whether a line end follows it. */
  readonly endsLine: boolean;
}

/** The last significant byte of a chunk before an index. @param earlier the last one of earlier chunks */
export function lastSignificant(chunk: Buffer, to: number, earlier: Significant): Significant {
  let endsLine = false;
  for (let at = to - 1; at >= 0; at--) {
    const byte = chunk[at]!;
    if (byte === LINE_FEED) endsLine = true;
    else if (byte !== SPACE && byte !== TAB && byte !== RETURN) return { byte, endsLine };
  }
  return { byte: earlier.byte, endsLine: endsLine || earlier.endsLine };
}
