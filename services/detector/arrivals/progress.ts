/**
 * The time up to which every upload is stored and its arrival noted. Intervals close by this time, not by the clock. While the enrichers or the
 * detector are behind, it stands still, so no active website is reported silent. Pure.
 */
export interface Progress {
  /** Adds one look at the log. */
  look(seen: Look): void;
  /**
   * @param position in the partition of `requests.stored`: every record before it is noted
   * @returns milliseconds since the epoch; 0: not known yet.
   */
  through(partition: number, position: number): number;
}

export interface Look {
  /** Milliseconds since the epoch, before anything of the look was read. */
  readonly at: number;
  /** The enrichers' committed offsets in `requests.raw`, read before `arrivals`. Absent partitions have no commit. */
  readonly committed: ReadonlyMap<number, number>;
  /** Oldest and next offset of each partition of `requests.raw`. */
  readonly raw: ReadonlyMap<number, { readonly oldest: number; readonly next: number }>;
  /** Next offset of each partition of `requests.stored`. */
  readonly arrivals: ReadonlyMap<number, number>;
}

/** Looks that are kept. Beyond, every second one is dropped, and the time moves in longer steps. */
const MOST_LOOKS = 120;

export function createProgress(): Progress {
  let uploads: { readonly at: number; readonly raw: Look['raw'] }[] = [];
  let stored = 0;
  let looks: { readonly through: number; readonly arrivals: Look['arrivals'] }[] = [];

  return {
    look(seen) {
      uploads.push({ at: seen.at, raw: seen.raw });
      const done = uploads.findLastIndex(({ raw }) => isStored(raw, seen));
      if (done >= 0) {
        stored = uploads.at(done)!.at;
        uploads = uploads.slice(done + 1);
        // An enricher appends a range's arrivals before it commits the range, so arrivals of committed ranges are before these ends.
        looks.push({ through: stored, arrivals: seen.arrivals });
      }
      uploads = thinned(uploads);
      looks = thinned(looks);
    },
    through(partition, position) {
      return looks.findLast(({ arrivals }) => (arrivals.get(partition) ?? 0) <= position)?.through ?? 0;
    },
  };
}

/** Whether the enrichers have committed past these ends. Records that retention deleted unread are not waited for. */
function isStored(raw: Look['raw'], seen: Look): boolean {
  return [...raw].every(([partition, { next }]) => {
    const oldest = seen.raw.get(partition)?.oldest ?? 0;
    return Math.max(seen.committed.get(partition) ?? 0, oldest) >= next;
  });
}

function thinned<Item>(items: Item[]): Item[] {
  return items.length > MOST_LOOKS ? items.filter((_item, index) => index % 2 === 1) : items;
}
