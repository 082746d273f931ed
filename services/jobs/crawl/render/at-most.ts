/** Carries out so many pieces of work at once; others wait in their order. */
export function createAtMost(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // Its place goes to the next without becoming free between.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
