/** Distinguishes URLs that a website generates without end from its pages. Pure; linear in the length of a URL. */

export type Trap = 'too_deep' | 'too_long' | 'repeated_segments' | 'many_parameters' | 'many_of_pattern';

export interface TrapLimits {
  /** Clicks from the home page. */
  readonly depth: number;
  /** Characters of path and query. */
  readonly length: number;
  /** How often one segment may be in a path: endless relative links repeat them. */
  readonly sameSegment: number;
  readonly parameters: number;
  /** Pages whose URLs differ only in numbers, with at least two of them: calendars, price filters. */
  readonly ofPattern: number;
}

const usual: TrapLimits = {
  depth: 50,
  length: 1_024,
  sameSegment: 3,
  parameters: 6,
  ofPattern: 1_000,
};

/** Checks whether a new URL of the crawl is a trap. Any other URL counts for its pattern. */
export function createTrapGuard(limits: TrapLimits = usual) {
  const byPattern = new Map<string, number>();

  function isManyOf(place: string): boolean {
    const { pattern, numbers } = patternOf(place);
    if (numbers < 2) return false;
    const count = (byPattern.get(pattern) ?? 0) + 1;
    if (count > limits.ofPattern) return true;
    byPattern.set(pattern, count);
    return false;
  }

  return {
    /** @param url in normal form. @returns null: it may be fetched */
    look(url: string, depth: number): Trap | null {
      if (depth > limits.depth) return 'too_deep';
      const { pathname, search, searchParams } = new URL(url);
      const place = pathname + search;
      if (place.length > limits.length) return 'too_long';
      if (searchParams.size > limits.parameters) return 'many_parameters';
      if (mostOfOne(pathname.split('/')) > limits.sameSegment) return 'repeated_segments';
      return isManyOf(place) ? 'many_of_pattern' : null;
    },
  };
}

function mostOfOne(segments: readonly string[]): number {
  const counts = new Map<string, number>();
  let most = 0;
  for (const segment of segments) {
    if (segment === '') continue;
    const count = (counts.get(segment) ?? 0) + 1;
    counts.set(segment, count);
    most = Math.max(most, count);
  }
  return most;
}

/** `/2026/11/23?page=4` is `/#/#/#?page=#`. */
function patternOf(place: string): { pattern: string; numbers: number } {
  let numbers = 0;
  const pattern = place.replace(/\d+/g, () => {
    numbers += 1;
    return '#';
  });
  return { pattern, numbers };
}
