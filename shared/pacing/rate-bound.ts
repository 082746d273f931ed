/** A bound that follows a rate: the amount of some seconds at the recent rate, clamped between two limits. */
export interface RateBound {
  /** Called when `amount` has arrived. */
  count(amount: number): void;
  /** May be fractional. */
  value(): number;
}

export interface RateBoundOptions {
  readonly least: number;
  readonly most: number;
  /** The bound is the amount that arrives in this time. */
  readonly seconds: number;
  /** Milliseconds, of a monotonic clock. */
  readonly now: () => number;
}

/** Amounts of this age count 1/e. */
const FADING_MS = 5_000;

export function createRateBound({ least, most, seconds, now }: RateBoundOptions): RateBound {
  /** Sum of all amounts, each decayed by its age. */
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
