/**
 * A queue that serves its owners (websites or organisations) round-robin. An owner waits for one item of each other
 * owner, never for all of them.
 */
export interface FairQueue<Item> {
  /** False if the owner's share is full; `add` does not check it. */
  hasRoom(owner: string): boolean;
  add(owner: string, item: Item): void;
  /** Removes an item that is no longer needed. */
  remove(owner: string, item: Item): void;
  /**
   * Takes the first live item of the next owner.
   * @param mayServe false to skip an owner for now; it keeps its position.
   */
  take(mayServe: (owner: string) => boolean): { readonly owner: string; readonly item: Item } | null;
  size(): number;
  sizeOf(owner: string): number;
  /** Number of owners with items. */
  owners(): number;
}

/** For callers that bound the queue themselves. */
const UNBOUNDED: Share = { total: Number.POSITIVE_INFINITY, mostOfOwner: Number.POSITIVE_INFINITY };

/**
 * @param share bound of the waiting items
 * @param isLive false for an item that was meanwhile served through another owner: it is skipped.
 */
export function createFairQueue<Item>(
  share: Share = UNBOUNDED,
  isLive: (item: Item) => boolean = () => true,
): FairQueue<Item> {
  /** In serving order. No line is empty. */
  const lines = new Map<string, Item[]>();
  let size = 0;

  function nextOf(owner: string): Item | undefined {
    const line = lines.get(owner) as Item[];
    // Moves the owner behind the others.
    lines.delete(owner);
    while (line.length > 0) {
      const item = line.shift() as Item;
      size -= 1;
      if (!isLive(item)) continue;
      if (line.length > 0) lines.set(owner, line);
      return item;
    }
    return undefined;
  }

  return {
    hasRoom(owner) {
      const own = lines.get(owner)?.length ?? 0;
      return own < shareOf(share, own === 0 ? lines.size + 1 : lines.size);
    },
    add(owner, item) {
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, [item]);
      else line.push(item);
      size += 1;
    },
    remove(owner, item) {
      const line = lines.get(owner);
      const at = line?.indexOf(item) ?? -1;
      if (line === undefined || at === -1) return;
      line.splice(at, 1);
      size -= 1;
      if (line.length === 0) lines.delete(owner);
    },
    take(mayServe) {
      for (const owner of lines.keys()) {
        if (!mayServe(owner)) continue;
        const item = nextOf(owner);
        if (item !== undefined) return { owner, item };
      }
      return null;
    },
    size: () => size,
    sizeOf: (owner) => lines.get(owner)?.length ?? 0,
    owners: () => lines.size,
  };
}

export interface Share {
  /** Total of all owners, before shares shrink. */
  readonly total: number;
  readonly mostOfOwner: number;
}

/**
 * Share of one owner. New owners are never locked out when all places are taken. Shares shrink with each new owner, so
 * n owners have at most total · (1 + ln n) items.
 */
export function shareOf({ total, mostOfOwner }: Share, owners: number): number {
  return Math.max(1, Math.min(mostOfOwner, Math.floor(total / owners)));
}
