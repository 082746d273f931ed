/** Lets at most `places` be inside at once; others wait in the order in which they came. */
export interface Gate {
  enter(): Promise<void>;
  leave(): void;
}

export function createGate(places: number): Gate {
  let free = places;
  const waiting: (() => void)[] = [];
  return {
    async enter() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
