/**
 * Texts in a view of bytes. Each takes three numbers: its first index, the index after its last byte, and its hash
 * (hash-bytes.ts), or 0 if not computed.
 */
export type Spans = Int32Array;
