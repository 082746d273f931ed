/**
 * A queue in which websites take turns: one item of each in order, so that a website waits for the others' next items
 * and never for all of them. (Or organisations, by their ids.)
 */
export interface FairQueue<Item> {
  /** False where the website's share is used up; `add` would go beyond it. */
  hasRoom(websiteId: string): boolean;
  add(websiteId: string, item: Item): void;
  /**
   * The first live item of the website whose turn it is.
   * @param mayServe false for a website whose turn is to be left out for now; it keeps its place.
   */
  take(mayServe: (websiteId: string) => boolean): { readonly websiteId: string; readonly item: Item } | null;
  size(): number;
}

export interface FairQueueOptions<Item> {
  /** Items that all websites together may have waiting, before shares shrink. */
  readonly total: number;
  readonly mostPerWebsite: number;
  /** False for an item that was served by way of another website meanwhile: it is stepped over. */
  readonly isLive: (item: Item) => boolean;
}

/** For callers that bound by themselves how much waits. */
const UNBOUNDED = {
  total: Number.POSITIVE_INFINITY,
  mostPerWebsite: Number.POSITIVE_INFINITY,
  isLive: () => true,
};

export function createFairQueue<Item>(options: FairQueueOptions<Item> = UNBOUNDED): FairQueue<Item> {
  /** In the order of the turns. No line is empty. */
  const lines = new Map<string, Item[]>();
  let size = 0;

  function nextOf(websiteId: string): Item | undefined {
    const line = lines.get(websiteId) as Item[];
    // Behind the others, for its next turn.
    lines.delete(websiteId);
    while (line.length > 0) {
      const item = line.shift() as Item;
      size -= 1;
      if (!options.isLive(item)) continue;
      if (line.length > 0) lines.set(websiteId, line);
      return item;
    }
    return undefined;
  }

  return {
    hasRoom(websiteId) {
      const own = lines.get(websiteId)?.length ?? 0;
      return own < shareOf(options, own === 0 ? lines.size + 1 : lines.size);
    },
    add(websiteId, item) {
      const line = lines.get(websiteId);
      if (line === undefined) lines.set(websiteId, [item]);
      else line.push(item);
      size += 1;
    },
    take(mayServe) {
      for (const websiteId of lines.keys()) {
        if (!mayServe(websiteId)) continue;
        const item = nextOf(websiteId);
        if (item !== undefined) return { websiteId, item };
      }
      return null;
    },
    size: () => size,
  };
}

export interface Share {
  readonly total: number;
  readonly mostPerWebsite: number;
}

/**
 * Places of one website among so many. Nobody is locked out when all places are taken: with every website that comes,
 * shares shrink, so that n websites never hold more than total · (1 + ln n).
 */
export function shareOf({ total, mostPerWebsite }: Share, websites: number): number {
  return Math.max(1, Math.min(mostPerWebsite, Math.floor(total / websites)));
}
