/** Number of distinct 32-bit values. */
export const WORD = 2 ** 32;

/**
 * Returns the value if a column can store it. A typed array would wrap any other value. NaN and fractions are outside
 * every range.
 * @param of name in the message: a type of the store, or a field
 * @throws RangeError
 */
export function requireWithin(of: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most && Number.isInteger(value)) return value;
  throw new RangeError(`${value} does not fit into ${of}`);
}
