/** Location and spread that a few outliers cannot change. */

/** MAD of a normal distribution times this is its standard deviation. */
export const MAD_TO_STD = 1.4826;

/** NaN for an empty list. Sorts its argument in place. */
export function medianInPlace(values: number[]): number {
  if (values.length === 0) return Number.NaN;
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

export function median(values: readonly number[]): number {
  return medianInPlace([...values]);
}

/** The standard deviation by the median absolute deviation from `centre`. */
export function robustSpread(values: readonly number[], centre: number): number {
  return MAD_TO_STD * medianInPlace(values.map((value) => Math.abs(value - centre)));
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
