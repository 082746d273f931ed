/**
 * A queue in which owners (websites, or organisations) take turns: one item of each in order, so that an owner waits for the
 * others' next items and never for all of them.
 */
export interface FairQueue<Item> {
  /** False where the owner's share is used up; `add` would go beyond it. */
  hasRoom(owner: string): boolean;
  add(owner: string, item: Item): void;
  /** Takes out an item that is not to be served any more. */
  remove(owner: string, item: Item): void;
  /**
   * The first live item of the owner whose turn it is.
   * @param mayServe false for an owner whose turn is to be left out for now; it keeps its place.
   */
  take(mayServe: (owner: string) => boolean): { readonly owner: string; readonly item: Item } | null;
  size(): number;
  sizeOf(owner: string): number;
}

/** For callers that bound by themselves how much waits. */
const UNBOUNDED: Share = { total: Number.POSITIVE_INFINITY, mostOfOwner: Number.POSITIVE_INFINITY };

/**
 * @param share how many items may wait.
 * @param isLive false for an item that was served by way of another owner meanwhile: it is stepped over.
 */
export function createFairQueue<Item>(
  share: Share = UNBOUNDED,
  isLive: (item: Item) => boolean = () => true,
): FairQueue<Item> {
  /** In the order of the turns. No line is empty. */
  const lines = new Map<string, Item[]>();
  let size = 0;

  function nextOf(owner: string): Item | undefined {
    const line = lines.get(owner) as Item[];
    // Behind the others, for its next turn.
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
  };
}

export interface Share {
  /** Of all owners together, before the shares of each shrink. */
  readonly total: number;
  readonly mostOfOwner: number;
}

/**
 * Places of one owner among so many. Nobody is locked out when all places are taken: with every owner that comes,
 * shares shrink, so that n owners never hold more than total · (1 + ln n).
 */
export function shareOf({ total, mostOfOwner }: Share, owners: number): number {
  return Math.max(1, Math.min(mostOfOwner, Math.floor(total / owners)));
}
