/**
 * Values by place (a number below a bound); clearing it costs nothing. Functions on plain data here and in the files beside it: a function that
 * is made anew for each block is compiled anew, too.
 */
export interface PlaceCache<Value> {
  readonly values: Value[];
  /** By place, the number of its value, counted from 1 over all that were ever set; those up to `cleared` are gone. */
  readonly numbers: Uint32Array;
  cleared: number;
}

/** @param count places lie below it */
export function createPlaceCache<Value>(count: number): PlaceCache<Value> {
  return { values: [], numbers: new Uint32Array(count), cleared: 0 };
}

export function valueAt<Value>(cache: PlaceCache<Value>, place: number): Value | undefined {
  const number = cache.numbers[place]!;
  return number > cache.cleared ? cache.values[number - cache.cleared - 1] : undefined;
}

export function setAt<Value>(cache: PlaceCache<Value>, place: number, value: Value): void {
  cache.values.push(value);
  cache.numbers[place] = cache.cleared + cache.values.length;
}

export function clearPlaces(cache: PlaceCache<unknown>): void {
  cache.cleared += cache.values.length;
  cache.values.length = 0;
}
