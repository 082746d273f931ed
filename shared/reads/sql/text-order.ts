/** The units whose order is not that of their bytes in UTF-8. */
const UNORDERED = /[\ud800-\uffff]/;

/** The order of two texts by their bytes in UTF-8, as the engine sorts them. */
export function compareBytes(one: string, other: string): number {
  if (!UNORDERED.test(one) && !UNORDERED.test(other)) return one < other ? -1 : Number(one > other);
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** The halves of code points above U+FFFF come after all other units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
