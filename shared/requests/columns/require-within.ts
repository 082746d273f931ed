/** Numbers that a word of 32 bits holds. */
export const WORD = 2 ** 32;

/**
 * The value, where a column can hold it: a typed array would wrap any other, which then came back as another number. NaN and fractions lie in no range.
 * @param of what the message names: a type of the store, or a field
 * @throws RangeError
 */
export function requireWithin(of: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most && Number.isInteger(value)) return value;
  throw new RangeError(`${value} does not fit into ${of}`);
}
