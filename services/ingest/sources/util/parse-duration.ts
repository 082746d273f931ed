/** Milliseconds of each unit; Go writes µ as either of two characters. */
const unitMs: ReadonlyMap<string, number> = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
  ['us', 1e-3],
  ['\u00b5s', 1e-3],
  ['\u03bcs', 1e-3],
  ['ns', 1e-6],
]);

/** Longest text that is read: hours, minutes and a second's fraction in nanoseconds are shorter. */
const LONGEST_DURATION = 40;

/**
 * A duration whose text has its units, in Go's form: `17.5ms`, `1m2.25s`, `250µs`.
 * @returns whole milliseconds; null for other text
 */
export function parseDuration(text: string): number | null {
  if (text.length > LONGEST_DURATION) return null;
  const part = /(\d+(?:\.\d+)?) ?([a-z\u00b5\u03bc]+)/y;
  let total = 0;
  let end = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const perUnit = unitMs.get(match[2]!);
    if (perUnit === undefined) return null;
    total += Number(match[1]) * perUnit;
    end = part.lastIndex;
  }
  return end > 0 && end === text.length ? Math.round(total) : null;
}
