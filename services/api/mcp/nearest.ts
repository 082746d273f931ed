/** Bounds the work: longer names are no misspelling of a short one. */
const MOST_CHARACTERS = 60;
/** An organisation may have 10,000 websites, and comparing all of them would stop the process for half a second. */
const MOST_COMPARED = 500;

/** The value that differs least from a misspelt one; null if none is near. */
export function nearest(given: string, values: readonly string[]): string | null {
  const wrong = given.slice(0, MOST_CHARACTERS).toLowerCase();
  const most = Math.max(2, wrong.length / 3);
  let best: { value: string; distance: number } | null = null;
  let compared = 0;
  for (const value of values) {
    const right = value.slice(0, MOST_CHARACTERS).toLowerCase();
    const isNear = isPart(wrong, right);
    if (!isNear && (Math.abs(wrong.length - right.length) > most || ++compared > MOST_COMPARED)) continue;
    const distance = isNear ? 1 : distanceOf(wrong, right);
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { value, distance };
  }
  return best !== null && best.distance <= most ? best.value : null;
}

const isPart = (one: string, other: string) =>
  Math.min(one.length, other.length) >= 3 && (one.includes(other) || other.includes(one));

/** Levenshtein's distance: insertions, deletions and replacements. */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1));
    }
    above = current;
  }
  return above[other.length]!;
}
