/**
 * Up to when everything that was uploaded is known to be counted. Intervals close by this time and not by the clock: while the enrichers
 * or the detector itself are behind, it stands still, and no website seems silent that is not. Pure.
 */
export interface Progress {
  /** Takes in one look at the log. */
  look(seen: Look): void;
  /**
   * @param position of the partition of `requests.stored`: everything before it is counted.
   * @returns milliseconds since the epoch; 0: not known yet.
   */
  through(partition: number, position: number): number;
}

export interface Look {
  /** Milliseconds since the epoch, before anything of the look was read. */
  readonly at: number;
  /** What the enrichers have committed of `requests.raw`, read before `signals`; absent: nothing of the partition. */
  readonly stored: ReadonlyMap<number, number>;
  /** Oldest and next offset of each partition of `requests.raw`. */
  readonly raw: ReadonlyMap<number, { readonly oldest: number; readonly next: number }>;
  /** Next offset of each partition of `requests.stored`. */
  readonly signals: ReadonlyMap<number, number>;
}

/** Looks that wait to be reached; half of them go where there are more, and the time then moves in longer steps. */
const MOST_LOOKS = 120;

export function createProgress(): Progress {
  let uploads: { readonly at: number; readonly raw: Look['raw'] }[] = [];
  let stored = 0;
  let looks: { readonly through: number; readonly signals: Look['signals'] }[] = [];

  return {
    look(seen) {
      uploads.push({ at: seen.at, raw: seen.raw });
      const done = uploads.findLastIndex(({ raw }) => isStored(raw, seen));
      if (done >= 0) {
        stored = uploads.at(done)!.at;
        uploads = uploads.slice(done + 1);
        // Whoever tells of a range does so before its commit: what these commits say lies before these ends.
        looks.push({ through: stored, signals: seen.signals });
      }
      uploads = thinned(uploads);
      looks = thinned(looks);
    },
    through(partition, position) {
      return looks.findLast(({ signals }) => (signals.get(partition) ?? 0) <= position)?.through ?? 0;
    },
  };
}

/** Whether the enrichers are through with what stood in the log then. What age has deleted unread is not waited for. */
function isStored(raw: Look['raw'], seen: Look): boolean {
  return [...raw].every(([partition, { next }]) => {
    const oldest = seen.raw.get(partition)?.oldest ?? 0;
    return Math.max(seen.stored.get(partition) ?? 0, oldest) >= next;
  });
}

function thinned<Item>(items: Item[]): Item[] {
  return items.length > MOST_LOOKS ? items.filter((_item, index) => index % 2 === 1) : items;
}
