/** What was found of some places, until it is forgotten. */
export interface Known<Value> {
  get(place: number): Value | undefined;
  set(place: number, value: Value): void;
  forget(): void;
}

/** @param count the places lie below it */
export function createKnown<Value>(count: number): Known<Value> {
  const values: Value[] = [];
  /** By place, the number of the value; those up to `forgotten` are. */
  const numbers = new Uint32Array(count);
  let forgotten = 0;
  return {
    get(place) {
      const number = numbers[place]!;
      return number > forgotten ? values[number - forgotten - 1] : undefined;
    },
    set(place, value) {
      values.push(value);
      numbers[place] = forgotten + values.length;
    },
    forget() {
      forgotten += values.length;
      values.length = 0;
    },
  };
}
