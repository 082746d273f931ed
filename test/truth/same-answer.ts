/**
 * Five standard errors of uniqCombined64(14): a sound estimator exceeds them once in two million comparisons.
 */
const UNIQUE_ERROR = 5 * 0.0081;

/** A 16-bit float has a precision of one part in 256. */
const QUANTILE_ERROR = 1 / 256;

/** Largest allowed error of an answer, by the name of its field; other fields must be exact. */
function allowance(name: string, expected: number): number {
  if (/^(unique_\w+|crawled_pages)$/.test(name)) return Math.floor(UNIQUE_ERROR * expected);
  // A quotient of two estimates.
  if (name === 'crawl_coverage') return 2 * UNIQUE_ERROR * expected;
  if (/^p\d\d_time_ms$/.test(name)) return QUANTILE_ERROR * expected;
  return 0;
}

/**
 * The differences between an answer and the expected one, a line each; empty if equal. In `deltas` and
 * `delta` only expected fields are compared, since the others derive from compared figures.
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
