/** Stored bits of a 16-bit float's fraction: values from 2^n up to 2^(n+1) have 2^7 equal steps. */
const FRACTION_BITS = 7;

/**
 * The engine truncates quantiles to 16-bit floats, up to 1/128 too low. This returns the middle of the whole numbers that are truncated to
 * the same float. Its error is at most 1/256, and it is exact below 256.
 */
export function middleOfBFloat16(cut: number): number {
  const step = 2 ** (Math.floor(Math.log2(cut)) - FRACTION_BITS);
  return step <= 1 ? cut : Math.round(cut + (step - 1) / 2);
}
