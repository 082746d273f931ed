/**
 * The most recently used learned states. An evicted state is already saved, and is read again when needed.
 */
export interface StateCache<State> {
  get(websiteId: string): State | undefined;
  /** @param bytes size of the state's text; in memory a state takes about three times as much */
  set(websiteId: string, state: State, bytes: number): void;
  delete(websiteId: string): void;
  clear(): void;
}

/** A limit in bytes, shared by several caches. */
export interface CacheBudget {
  readonly most: number;
  used: number;
}

export function createStateCache<State>(budget: CacheBudget): StateCache<State> {
  const entries = new Map<string, { readonly state: State; readonly bytes: number }>();

  function remove(websiteId: string): void {
    budget.used -= entries.get(websiteId)?.bytes ?? 0;
    entries.delete(websiteId);
  }

  return {
    get(websiteId) {
      const entry = entries.get(websiteId);
      if (entry === undefined) return undefined;
      // The Map's order is the order of last use.
      entries.delete(websiteId);
      entries.set(websiteId, entry);
      return entry.state;
    },
    set(websiteId, state, bytes) {
      remove(websiteId);
      entries.set(websiteId, { state, bytes });
      budget.used += bytes;
      for (const oldest of entries.keys()) {
        if (budget.used <= budget.most) return;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      for (const websiteId of [...entries.keys()]) remove(websiteId);
    },
  };
}
