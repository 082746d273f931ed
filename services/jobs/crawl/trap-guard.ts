/** Tells URLs that a website makes up without end from its pages. Pure; each character of a URL is looked at a bounded number of times. */

export type Trap = 'too_deep' | 'too_long' | 'repeated_segments' | 'many_parameters' | 'many_of_pattern';

export interface TrapLimits {
  /** Clicks from the home page. */
  readonly depth: number;
  /** Characters of path and query. */
  readonly length: number;
  /** Times that one segment may stand in a path: relative links that lead on and on repeat them. */
  readonly sameSegment: number;
  readonly parameters: number;
  /** Pages whose URLs differ in numbers alone, where there are at least two such numbers: calendars, filters of price. */
  readonly ofPattern: number;
}

const usual: TrapLimits = {
  depth: 50,
  length: 1_024,
  sameSegment: 3,
  parameters: 6,
  ofPattern: 1_000,
};

/** Whether a new URL of the crawl is a trap; what is none counts for its pattern. */
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
    /** @param url in its one form. null: it may be fetched. */
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
