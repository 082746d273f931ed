/**
 * Estimates the engine's cost of a regex. RE2 never backtracks. With too many states to cache, it walks its whole
 * program for every byte of text. The program's size is estimated from the pattern's syntax, in one pass and without
 * recursion. The estimate is conservative. The engine validates the pattern.
 */
export interface RegexCost {
  /** Approximate number of instructions of the compiled program. Each takes at most 9 ns per byte of text. */
  readonly size: number;
  /** The largest count in a {n,m}. */
  readonly longestRepeat: number;
}

/** A character above ASCII has up to four bytes; a class of them has a few alternatives. */
const WIDE = 4;
/** `.`, `\W` and classes with a caret contain nearly all of Unicode. */
const NEARLY_ALL = 4;
/** `\pL` and similar classes contain hundreds of ranges. */
const UNICODE_CLASS = 400;
/** Beyond it the sum is no longer exact; accepted patterns are far smaller. */
const MOST = 1e12;

interface Group {
  /** Cost of the elements so far, except the last one. */
  sum: number;
  /** Cost of the last element, which a repetition would repeat. */
  last: number;
}

export function regexCost(pattern: string): RegexCost {
  const characters = [...pattern];
  // If a pattern ignores case anywhere, every letter is counted so.
  const letter = ignoresCase(pattern) ? 3 : 1;
  const groups: Group[] = [{ sum: 0, last: 0 }];
  let longestRepeat = 0;
  const top = () => groups.at(-1)!;
  const add = (cost: number) => {
    const group = top();
    group.sum = Math.min(MOST, group.sum + group.last);
    group.last = cost;
  };

  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '\\') {
      const [cost, end] = escapeCost(characters, at);
      add(cost * letter);
      at = end;
    } else if (character === '[') {
      const [cost, end] = classCost(characters, at);
      add(cost * letter);
      at = end;
    } else if (character === '(') {
      groups.push({ sum: 0, last: 0 });
    } else if (character === ')') {
      if (groups.length === 1) continue;
      const { sum, last } = groups.pop()!;
      add(Math.min(MOST, sum + last + 2));
    } else if (character === '{') {
      const repeat = repeatAt(characters, at);
      if (repeat === null) {
        add(letter);
        continue;
      }
      longestRepeat = Math.max(longestRepeat, repeat.most);
      top().last = Math.min(MOST, (top().last + 1) * Math.max(1, repeat.most));
      at = repeat.end;
    } else if ('*+?|'.includes(character)) {
      top().last += 1;
      if (character === '|') add(0);
    } else if (character === '.') {
      add(NEARLY_ALL);
    } else {
      add(character > '\u007f' ? WIDE * letter : letter);
    }
  }
  const size = groups.reduce((sum, group) => sum + group.sum + group.last, 0);
  return { size, longestRepeat };
}

/** `(?i` and `(?si:`: flags before a minus or the end of their group. */
function ignoresCase(pattern: string): boolean {
  for (let at = pattern.indexOf('(?'); at >= 0; at = pattern.indexOf('(?', at + 2)) {
    for (let flag = at + 2; flag < pattern.length && 'imsU'.includes(pattern[flag]!); flag++)
      if (pattern[flag] === 'i') return true;
  }
  return false;
}

/** Cost, and the index of its last character. */
function escapeCost(characters: readonly string[], at: number): [number, number] {
  const escaped = characters[at + 1] ?? '';
  if (escaped === 'p' || escaped === 'P') {
    const end = characters[at + 2] === '{' ? characters.indexOf('}', at + 2) : at + 2;
    return [UNICODE_CLASS, end < 0 ? characters.length : end];
  }
  if (escaped === 'x' && characters[at + 2] === '{') {
    const end = characters.indexOf('}', at + 2);
    return [WIDE, end < 0 ? characters.length : end];
  }
  if (escaped === 'Q') return quotedCost(characters, at + 2);
  if ('DWSCX'.includes(escaped) && escaped !== '') return [NEARLY_ALL, at + 1];
  if (escaped === 'w' || escaped === 's') return [4, at + 1];
  return [escaped > '\u007f' ? WIDE : 1, at + 1];
}

/** `\Q … \E`: plain text. */
function quotedCost(characters: readonly string[], start: number): [number, number] {
  let end = start;
  while (end < characters.length && !(characters[end] === '\\' && characters[end + 1] === 'E')) end++;
  return [WIDE * (end - start), end + 1];
}

function classCost(characters: readonly string[], start: number): [number, number] {
  let at = start + 1;
  let cost = 1;
  if (characters[at] === '^') {
    cost += NEARLY_ALL;
    at++;
  }
  const first = at;
  for (; at < characters.length && (characters[at] !== ']' || at === first); at++) {
    const character = characters[at]!;
    if (character === '\\') {
      const [escaped, end] = escapeCost(characters, at);
      cost += escaped;
      at = end;
    } else if (character === '[' && characters[at + 1] === ':') {
      const end = characters.indexOf(']', at);
      cost += NEARLY_ALL;
      at = end < 0 ? characters.length : end;
    } else {
      cost += character > '\u007f' ? WIDE : 1;
    }
  }
  return [cost, at];
}

/** The numbers of {n}, {n,} or {n,m}; null for a literal brace. */
function repeatAt(characters: readonly string[], start: number): { most: number; end: number } | null {
  const numbers = [''];
  for (let at = start + 1; at < characters.length && at < start + 20; at++) {
    const character = characters[at]!;
    if (character >= '0' && character <= '9') numbers[numbers.length - 1] += character;
    else if (character === ',' && numbers.length === 1) numbers.push('');
    else if (character === '}' && numbers[0] !== '')
      return { most: Math.max(...numbers.map(Number)), end: at };
    else return null;
  }
  return null;
}
