/** Bits of a 16-bit float's fraction that are stored: values from 2^n up to 2^(n+1) fall into 2^7 equal steps. */
const FRACTION_BITS = 7;

/**
 * Quantiles come cut down to 16-bit floats, up to 1/128 too low. The middle of the whole numbers that are cut to
 * the same float is off by at most 1/256, and exact below 256.
 */
export function middleOfBFloat16(cut: number): number {
  const step = 2 ** (Math.floor(Math.log2(cut)) - FRACTION_BITS);
  return step <= 1 ? cut : Math.round(cut + (step - 1) / 2);
}
