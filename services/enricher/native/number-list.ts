type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A growing list of numbers whose capacity doubles. */
export interface NumberList<Values extends Numbers> {
  readonly size: number;
  /** Bytes of its array, including capacity for removed numbers. */
  readonly room: number;
  /** The numbers, followed by unused capacity; another array after the next `push`. */
  readonly values: Values;
  push(value: number): void;
  /** Removes all after the first `size`. */
  truncate(size: number): void;
}

const FIRST_ROOM = 64;

export function createNumberList<Values extends Numbers>(
  of: new (length: number) => Values,
): NumberList<Values> {
  let values = new of(FIRST_ROOM);
  let size = 0;
  return {
    get size() {
      return size;
    },
    get room() {
      return values.byteLength;
    },
    get values() {
      return values;
    },
    push(value) {
      if (size === values.length) {
        const larger = new of(2 * size);
        larger.set(values);
        values = larger;
      }
      values[size] = value;
      size += 1;
    },
    truncate(remaining) {
      size = Math.min(size, remaining);
    },
  };
}
