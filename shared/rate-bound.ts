/** A bound that follows what comes: as much as comes in some seconds, and never outside of two limits. */
export interface RateBound {
  /** So much has come just now. */
  count(amount: number): void;
  value(): number;
}

export interface RateBoundOptions {
  readonly least: number;
  readonly most: number;
  /** The bound is what comes in so many seconds. */
  readonly seconds: number;
  /** Milliseconds, of a clock that is never set back. */
  readonly now: () => number;
}

/** What came so long ago counts by a third. */
const FADING_MS = 5_000;

export function createRateBound({ least, most, seconds, now }: RateBoundOptions): RateBound {
  /** What came, each amount faded by its age. */
  let faded = 0;
  let at = now();

  function fade(): void {
    const present = now();
    faded *= Math.exp((at - present) / FADING_MS);
    at = present;
  }

  return {
    count(amount) {
      fade();
      faded += amount;
    },
    value() {
      fade();
      return Math.min(most, Math.max(least, (faded / FADING_MS) * 1_000 * seconds));
    },
  };
}
