/** Learned states in memory, those that were used last. What falls out is saved: it is read again when it is needed. */
export interface StateCache<State> {
  get(websiteId: string): State | undefined;
  /** @param bytes of the state's text: in memory it is some three times as much */
  set(websiteId: string, state: State, bytes: number): void;
  delete(websiteId: string): void;
  clear(): void;
}

/** Bytes that several caches have in common. */
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
      // The Map's order is that of the last uses.
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
