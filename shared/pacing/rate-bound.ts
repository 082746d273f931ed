/** A bound that follows a rate: what comes in some seconds at the rate of late, and never outside of two limits. */
export interface RateBound {
  /** Called when so much has come. */
  count(amount: number): void;
  /** Not always a whole number. */
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

/** What came so long ago counts 1/e of what comes now. */
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
