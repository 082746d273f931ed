/** Remembers the turns of at most this many owners. */
const MOST_SERVED = 10_000;

/** Selects the next owner (an organisation): the one with the fewest items under way; of equals, the one that was served longest ago. */
export function createServingOrder() {
  const served = new Map<string, number>();
  let turns = 0;
  return {
    /** @param underWay the count for an owner. @returns undefined: there are no owners */
    next(owners: Iterable<string>, underWay: (owner: string) => number): string | undefined {
      let next: { readonly owner: string; readonly running: number; readonly turn: number } | undefined;
      for (const owner of owners) {
        const [running, turn] = [underWay(owner), served.get(owner) ?? 0];
        if (next === undefined || running < next.running || (running === next.running && turn < next.turn))
          next = { owner, running, turn };
      }
      return next?.owner;
    },
    serve(owner: string): void {
      if (served.size > MOST_SERVED) served.clear();
      served.set(owner, ++turns);
    },
  };
}
