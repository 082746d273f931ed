/** Up to this length the plain search examines each character a bounded number of times. */
const SHORT = 16;

/** Searches for a fixed text: its first position at or after `from`, or -1. */
export type FindPart = (text: string, from: number) => number;

/**
 * Time is the sum of both lengths and never their product (Knuth, Morris, Pratt). The author of a robots.txt controls the part, and clients
 * of the website control the text.
 */
export function createFindPart(part: string): FindPart {
  if (part.length <= SHORT) return (text, from) => text.indexOf(part, from);
  let table: Uint32Array | null = null;
  return (text, from) => {
    if (text.length - from < part.length) return -1;
    table ??= longestBorders(part);
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = table[matched - 1]!;
      if (part.charCodeAt(matched) === code) matched += 1;
      if (matched === part.length) return at + 1 - matched;
    }
    return -1;
  };
}

/** For each prefix of the part, the length of its longest border. */
function longestBorders(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(length) !== part.charCodeAt(at)) length = borders[length - 1]!;
    if (part.charCodeAt(length) === part.charCodeAt(at)) length += 1;
    borders[at] = length;
  }
  return borders;
}
