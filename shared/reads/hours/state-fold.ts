/** Merges states of an estimator, one group of states after another. */
export interface StateFold {
  /** Begins another group. */
  clear(): void;
  /** Adds the state in these bytes, without `to`: one of the engine, or a merged one. */
  add(bytes: Uint8Array, from: number, to: number): void;
  /** The estimate for the group. */
  figure(): unknown;
  /** The state of the group; it may be smaller than the engine's. */
  merged(): Uint8Array;
}

/** The engine's numbers of variable length: seven bits in a byte, the lowest ones first. */
export function readVarUInt(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  let factor = 1;
  let end = at;
  for (;;) {
    const byte = bytes[end]!;
    end += 1;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end };
    factor *= 128;
  }
}

export function varUIntOf(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varUIntOf(Math.floor(value / 128))];
}
