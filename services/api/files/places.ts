/** Files that are sent at once: each holds a socket, an open file and their buffers. */
export interface Places {
  /** Takes a place for whoever fetches. @returns what gives it back (again and again, once); null: there is none. */
  take(owner: string): (() => void) | null;
}

/** @param most in all, and of one owner. */
export function createPlaces(most: { readonly all: number; readonly each: number }): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(owner) {
      const own = taken.get(owner) ?? 0;
      if (all >= most.all || own >= most.each) return null;
      taken.set(owner, own + 1);
      all++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        all--;
        const left = taken.get(owner)! - 1;
        if (left === 0) taken.delete(owner);
        else taken.set(owner, left);
      };
    },
  };
}
