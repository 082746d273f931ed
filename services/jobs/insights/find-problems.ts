import type { KnownFacts } from './known-facts.js';

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
  ...['double', 'doubled', 'doubling', 'triple', 'tripled', 'quadruple', 'quadrupled', 'quarter', 'tenfold'],
]);

/** Names of files that people mention with a dot and no host has. */
const FILE_NAMES: ReadonlySet<string> = new Set(['robots.txt', 'llms.txt', 'sitemap.xml']);

/**
 * @param text of the model, without control characters (clean-text.ts).
 * @returns sentences for the model, none where nothing speaks against the text.
 */
export function findProblems(text: string, known: KnownFacts): string[] {
  const problems = new Set<string>();
  for (const { code, words } of splitCode(text)) {
    if (code !== null && !isKnown(code, known))
      problems.add(`\`${shortened(code)}\` was in no tool's result.`);
    for (const problem of problemsOfWords(words, known)) problems.add(problem);
  }
  return [...problems].slice(0, MOST_PROBLEMS);
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

function* problemsOfWords(words: string, known: KnownFacts): Generator<string> {
  // Marks of emphasis are not seen: 1**2**3 reads as 123.
  const seen = words.replaceAll('|', ' ').replaceAll(/[*_~]/g, '');
  for (const line of seen.split('\n')) {
    let before = '';
    for (const token of withoutMarker(line).split(/\s+/)) {
      // Two figures side by side read as one with a blank between its thousands.
      if (/^\d{1,3}$/.test(before) && /^\d{3}\b/.test(token))
        yield `"${before} ${shortened(token)}" reads as one figure; write figures as tools gave them.`;
      yield* problemsOfToken(token, known);
      before = token;
    }
  }
}

/** Without the number of a list's entry. */
function withoutMarker(line: string): string {
  return line.replace(/^\s{0,8}\d{1,2}[.)]\s/, '');
}

function* problemsOfToken(token: string, known: KnownFacts): Generator<string> {
  if (isLink(token)) return yield `"${shortened(token)}" is a link or an address; write none.`;
  for (const part of token.split(/[/–—]/)) {
    // A day keeps its dashes.
    if (known.hasInstant(trimmed(part))) continue;
    for (const word of part.split(/-|[:;,](?!\d)|(?<!\d)[:;,]/)) yield* problemsOfWord(trimmed(word), known);
  }
}

function* problemsOfWord(word: string, known: KnownFacts): Generator<string> {
  const lower = word.toLowerCase();
  if (TERMS.has(lower)) return;
  if (FIGURE_WORDS.has(lower)) yield `"${word}" is a figure in words; write it in digits.`;
  else if (isHost(lower))
    yield `"${shortened(word)}" is a host's name; put names in backticks, as tools gave them.`;
  else if (/\p{N}/u.test(word) && !isKnownNumber(word, known))
    yield `"${shortened(word)}" is no figure of a tool's result; leave it out, or put a name in backticks as the tool gave it.`;
}

/** Digits, with commas between thousands, with a point before decimals. */
function isNumber(word: string): boolean {
  return /^\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?$/.test(word) || /^\d{1,18}(?:\.\d{1,9})?$/.test(word);
}

function isKnownNumber(word: string, known: KnownFacts): boolean {
  const number = word.replace(/^[+\-−~≈<>=]+/, '').replace(/(?:%|pp|ms)$/, '');
  if (known.hasInstant(number)) return true;
  return isNumber(number) && known.hasFigure(number.replaceAll(',', ''));
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
    /^\W*[a-z]{2,12}:[/\w]/.test(lower)
  );
}

function isHost(lower: string): boolean {
  return !FILE_NAMES.has(lower) && /^[^\s.]{1,63}(?:\.[^\s.]{1,63}){0,9}\.\p{L}{2,24}$/u.test(lower);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
