import { createStoredThrough, thinned, type UploadsLook } from '../../../shared/event-log/stored-through.js';

/**
 * The time up to which every upload is stored and its arrival noted. Intervals close by this time, not by the
 * clock. It does not advance while enrichers or the detector are behind, so no active website is reported
 * silent. Pure.
 */
export interface Progress {
  /** Adds one observation of the log. */
  look(seen: Look): void;
  /**
   * @param position in the partition of `requests.stored`: every record before it is noted
   * @returns milliseconds since the epoch; 0: not known yet
   */
  through(partition: number, position: number): number;
}

/** Uploads are read before arrivals. */
export interface Look extends UploadsLook {
  /** Next offset of each partition of `requests.stored`. */
  readonly arrivals: ReadonlyMap<number, number>;
}

export function createProgress(): Progress {
  const storedThrough = createStoredThrough();
  let looks: { readonly through: number; readonly arrivals: Look['arrivals'] }[] = [];

  return {
    look(seen) {
      const through = storedThrough(seen);
      // An enricher appends a range's arrivals before it commits the range, so arrivals of committed ranges
      // are before these ends.
      if (through > (looks.at(-1)?.through ?? 0)) looks.push({ through, arrivals: seen.arrivals });
      looks = thinned(looks);
    },
    through(partition, position) {
      return looks.findLast(({ arrivals }) => (arrivals.get(partition) ?? 0) <= position)?.through ?? 0;
    },
  };
}
