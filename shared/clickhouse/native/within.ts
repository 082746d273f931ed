/** Numbers of a word of 32 bits. */
export const WORD = 2 ** 32;

/** NaN and fractions lie in no range either. @throws RangeError */
export function requireWithin(type: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most && Number.isInteger(value)) return value;
  throw new RangeError(`${value} does not fit into ${type}`);
}
