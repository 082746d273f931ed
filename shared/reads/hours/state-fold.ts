/** The engine returned a state whose form this process does not know. */
export class UnknownStateError extends Error {}

/** Merges states of an estimator, one group of states after another. */
export interface StateFold {
  /**
   * Checks a state of the engine. `add` does not.
   * @throws UnknownStateError
   */
  check(bytes: Uint8Array, from: number, to: number): void;
  /** Begins another group. */
  clear(): void;
  /** Adds the state in these bytes, without `to`: one of the engine, or a merged one. */
  add(bytes: Uint8Array, from: number, to: number): void;
  /** The estimate for the group. */
  figure(): unknown;
  /** The state of the group; it may be smaller than the engine's. */
  merged(): Uint8Array;
}

/**
 * Place of the first entry of a list with its length in front.
 * @throws UnknownStateError if the list does not end at `to`
 */
export function checkList(bytes: Uint8Array, at: number, to: number, entryBytes: number): number {
  const { value, end } = readVarUInt(bytes, at, to);
  if (end + value * entryBytes !== to) throw new UnknownStateError('a list has another length');
  return end;
}

/** The engine's numbers of variable length: seven bits in a byte, the lowest ones first. */
export function readVarUInt(bytes: Uint8Array, at: number, to: number): { value: number; end: number } {
  let value = 0;
  let factor = 1;
  for (let end = at; end < to; ) {
    const byte = bytes[end]!;
    end += 1;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end };
    factor *= 128;
  }
  throw new UnknownStateError('a number has no end');
}

/** The bytes of such a number. */
export function varUIntOf(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varUIntOf(Math.floor(value / 128))];
}
