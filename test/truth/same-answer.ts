/** Five standard errors of uniqCombined64(14): a sound estimator leaves them once in two million looks. */
const UNIQUE_ERROR = 5 * 0.0081;

/** A 16-bit float holds a value to one part in 256. */
const QUANTILE_ERROR = 1 / 256;

/** Most that an answer may be off, by the name of its field; whatever is no estimate must be exact. */
function allowance(name: string, expected: number): number {
  if (/^(unique_\w+|crawled_pages)$/.test(name)) return Math.floor(UNIQUE_ERROR * expected);
  // One estimate by another.
  if (name === 'crawl_coverage') return 2 * UNIQUE_ERROR * expected;
  if (/^p\d\d_time_ms$/.test(name)) return QUANTILE_ERROR * expected;
  return 0;
}

/**
 * Where an answer is not what it must be, a line each; empty when it is. Of `deltas` and `delta` only those expected are
 * looked at, as the rest is made of figures that are compared already.
 */
export function differences(actual: unknown, expected: unknown, path = ''): string[] {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const off = Math.abs(actual - expected);
    return off <= allowance(name, expected) ? [] : [`${path}: ${actual}, expected ${expected}`];
  }
  if (!isContainer(actual) || !isContainer(expected)) {
    return actual === expected
      ? []
      : [`${path}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
  }
  const names = new Set([...Object.keys(expected), ...(/\.deltas?$/.test(path) ? [] : Object.keys(actual))]);
  return [...names].flatMap((name) => differences(actual[name], expected[name], `${path}.${name}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
