/** Values by place (a number below a bound); clearing it costs nothing. */
export interface PlaceCache<Value> {
  get(place: number): Value | undefined;
  set(place: number, value: Value): void;
  clear(): void;
}

/** @param count places lie below it */
export function createPlaceCache<Value>(count: number): PlaceCache<Value> {
  const values: Value[] = [];
  /** By place, the number of its value, counted from 1 over all that were ever set; those up to `cleared` are gone. */
  const numbers = new Uint32Array(count);
  let cleared = 0;
  return {
    get(place) {
      const number = numbers[place]!;
      return number > cleared ? values[number - cleared - 1] : undefined;
    },
    set(place, value) {
      values.push(value);
      numbers[place] = cleared + values.length;
    },
    clear() {
      cleared += values.length;
      values.length = 0;
    },
  };
}
