import type { KnownFacts, Sign } from './known-facts.js';

/** What speaks against a text of the model: a figure, a name or a link that it did not have from a tool. */

/** Told to the model; more would not help it. */
const MOST_PROBLEMS = 8;

/** Terms with digits that state no figure. */
const TERMS: ReadonlySet<string> = new Set([
  ...['1xx', '2xx', '3xx', '4xx', '5xx', 'p50', 'p95', 'p99', 'ipv4', 'ipv6'],
]);

/** Figures in words could not be held against anything. */
const FIGURE_WORDS: ReadonlySet<string> = new Set([
  ...['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen'],
  ...['fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty', 'thirty', 'forty'],
  ...['fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred', 'hundreds', 'thousand', 'thousands'],
  ...[
    'million',
    'millions',
    'billion',
    'billions',
    'trillion',
    'dozen',
    'dozens',
    'twice',
    'twofold',
    'half',
  ],
  ...['double', 'doubled', 'doubles', 'doubling', 'triple', 'tripled', 'triples', 'tripling', 'quadruple'],
  ...[
    'quadrupled',
    'quadrupling',
    'halve',
    'halved',
    'halves',
    'halving',
    'third',
    'thirds',
    'quarter',
    'quarters',
  ],
  ...['threefold', 'fourfold', 'fivefold', 'tenfold', 'hundredfold', 'tens', 'zero'],
]);

/** Names of files that people mention with a dot and no host has. */
const FILE_NAMES: ReadonlySet<string> = new Set(['robots.txt', 'llms.txt', 'sitemap.xml']);

/**
 * @param text of the model, without control characters (clean-text.ts).
 * @returns sentences for the model, none where nothing speaks against the text.
 */
export function findProblems(text: string, known: KnownFacts): string[] {
  const problems = new Set<string>();
  if (text.split('\n').some(isTableLine)) problems.add('It has a table; write none.');
  const reader = createWordReader(known);
  for (const { code, words } of splitCode(text)) {
    for (const problem of reader.read(words)) problems.add(problem);
    if (code === null) continue;
    if (!isKnown(code, known)) problems.add(`\`${shortened(code)}\` was in no tool's result.`);
    for (const problem of reader.passCode(words, code)) problems.add(problem);
  }
  return [...problems].slice(0, MOST_PROBLEMS);
}

/** The line below a table's head. In tables code is no code everywhere: what is in backticks could be a link. */
function isTableLine(line: string): boolean {
  return /^[\s|:-]{2,200}$/.test(line) && line.includes('-') && /[|:]/.test(line);
}

/** A figure in backticks is a figure. */
function isKnown(code: string, known: KnownFacts): boolean {
  if (known.hasText(code) || TERMS.has(code)) return true;
  return isNumber(code) && known.hasFigure(code.replaceAll(',', ''));
}

interface Piece {
  /** Text before the code. */
  readonly words: string;
  /** Between backticks; null at the end. */
  readonly code: string | null;
}

/** Takes a text apart at its backticks, which stand in pairs (clean-text.ts). */
function splitCode(text: string): Piece[] {
  const parts = text.split('`');
  const pieces: Piece[] = [];
  for (let at = 0; at < parts.length; at += 2)
    pieces.push({ words: parts[at]!, code: parts[at + 1] ?? null });
  return pieces;
}

/** Reads words piece by piece, and knows what stood before: a figure may be spread over lines and backticks. */
function createWordReader(known: KnownFacts) {
  let before = '';
  let afterCode = false;
  let entry = 0;
  let isParagraph = false;

  /** Without the number of a list's entry; any other number at a line's beginning is a figure. */
  function withoutMarker(line: string): string {
    const marker = /^\s{0,8}(\d{1,2})[.)]\s/.exec(line);
    const number = Number(marker?.[1] ?? Number.NaN);
    const isEntry = number === entry + 1 || (number === 1 && !isParagraph);
    if (marker !== null && isEntry) {
      entry = number;
      isParagraph = false;
      return line.slice(marker[0].length);
    }
    isParagraph = line.trim() !== '' && !/^\s{0,8}[-*+]\s/.test(line);
    return line;
  }

  return {
    *read(words: string): Generator<string> {
      if (afterCode && /^(?:[\p{L}\p{N}]|\.\d)/u.test(words))
        yield 'A word or figure touches a backtick; put blanks between.';
      afterCode = false;
      // Marks of emphasis are not seen: 1**2**3 reads as 123.
      const seen = words.replaceAll('|', ' ').replaceAll(/[*_~]/g, '');
      for (const [at, line] of seen.split('\n').entries()) {
        // The first goes on in the line that code stood in.
        const rest = at === 0 && before !== '' ? line : withoutMarker(line);
        for (const token of rest.split(/\s+/)) {
          if (token === '') continue;
          if (isBareFigure(before) && /^\d/.test(token))
            yield `"${before} ${shortened(token)}" reads as one figure; put words between.`;
          yield* problemsOfToken(token, known);
          before = token;
        }
      }
    },
    *passCode(words: string, code: string): Generator<string> {
      if (/[\p{L}\p{N}.]$/u.test(words)) yield 'A word or figure touches a backtick; put blanks between.';
      if (isBareFigure(before) && isNumber(code))
        yield `"${before} ${shortened(code)}" reads as one figure; put words between.`;
      before = code;
      afterCode = true;
    },
  };
}

function isBareFigure(token: string): boolean {
  return /^\d[\d.,]{0,30}$/.test(token) && !/[.,]$/.test(token);
}

function* problemsOfToken(token: string, known: KnownFacts): Generator<string> {
  if (isLink(token)) return yield `"${shortened(token)}" is a link or an address; write none.`;
  const parts = token.split(/[/–—]/).map(trimmed);
  if (parts.some((part, at) => at > 0 && areJoinedFigures(parts[at - 1]!, part, known)))
    yield `"${shortened(token)}" joins figures; put words between.`;
  for (const part of parts) {
    // A day keeps its dashes.
    if (known.hasInstant(part)) continue;
    if (/\d-\d/.test(part)) yield `"${shortened(token)}" joins figures; put words between.`;
    const sign = /^[-−]\d/.test(part) ? '-' : '';
    for (const [at, word] of part.split(/-|[:;,](?!\d)|(?<!\d)[:;,]/).entries())
      yield* problemsOfWord(trimmed(word), at <= 1 ? sign : '', known);
  }
}

/** Two days may be a range; other figures side by side read as one. */
function areJoinedFigures(one: string, other: string, known: KnownFacts): boolean {
  if (known.hasInstant(one) && known.hasInstant(other)) return false;
  return /\d$/.test(one) && /^\d/.test(other);
}

function* problemsOfWord(word: string, sign: Sign, known: KnownFacts): Generator<string> {
  const lower = word.toLowerCase();
  if (TERMS.has(lower)) return;
  if (FIGURE_WORDS.has(lower)) yield `"${word}" is a figure in words; write it in digits.`;
  else if (/(?!\p{Script=Latin})\p{L}|\p{M}/u.test(word))
    yield `"${shortened(word)}" is in another script; put names in backticks, as tools gave them.`;
  else if (isHost(lower))
    yield `"${shortened(word)}" is a host's name; put names in backticks, as tools gave them.`;
  else if (/\p{N}/u.test(word) && !isKnownNumber(word, sign, known))
    yield `"${shortened(word)}" is no figure of a tool's result; leave it out, or put a name in backticks as the tool gave it.`;
}

/** Digits, with commas between thousands, with a point before decimals. */
function isNumber(word: string): boolean {
  return /^\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?$/.test(word) || /^\d{1,18}(?:\.\d{1,9})?$/.test(word);
}

function isKnownNumber(word: string, before: Sign, known: KnownFacts): boolean {
  const marks = /^[+\-−~≈<>=]*/.exec(word)![0];
  const number = word.slice(marks.length).replace(/(?:%|pp|ms)$/, '');
  const sign = marks.includes('+') ? '+' : /[-−]/.test(marks) ? '-' : before;
  if (known.hasInstant(number)) return true;
  return isNumber(number) && known.hasFigure(number.replaceAll(',', ''), sign);
}

/** Without the marks around a word: brackets, quotes, the end of a sentence. */
function trimmed(token: string): string {
  let [start, end] = [0, token.length];
  while (start < end && MARKS.has(token[start]!)) start++;
  while (end > start && MARKS.has(token[end - 1]!)) end--;
  return token.slice(start, end);
}

const MARKS: ReadonlySet<string> = new Set('()[]{}"\'“”‘’.,;:!?#>…'.split(''));

/** What programs that show Markdown make a link of, bare as it is. */
function isLink(token: string): boolean {
  const lower = token.toLowerCase();
  return (
    lower.includes('://') ||
    lower.includes('](') ||
    lower.includes('www.') ||
    /\w@\w/.test(lower) ||
    /^\W*[a-z]{2,12}:\S/.test(lower)
  );
}

/** Looked for anywhere: what a mark ends is a host still. */
function isHost(lower: string): boolean {
  const rest = FILE_NAMES.has(lower) ? '' : lower;
  return /[\p{L}\p{N}][.。]\p{L}{2}/u.test(rest);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
