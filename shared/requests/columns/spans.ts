/**
 * Texts in a view of bytes. Each takes three numbers: its first index, the one behind it, and its hash (hash-bytes.ts), or 0 if that was not computed.
 */
export type Spans = Int32Array;
