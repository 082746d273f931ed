import type { KnownFacts, Sign } from './known-facts.js';
import { isNumberWord } from './number-words.js';
import { createFigureReader, isNumber, readNumber } from './read-figures.js';

/** Terms with digits that state no figure. */
const TERMS: ReadonlySet<string> = new Set([
  ...['1xx', '2xx', '3xx', '4xx', '5xx', 'p50', 'p95', 'p99', 'ipv4', 'ipv6'],
]);

/** Names of files that people mention with a dot and no host has. */
const FILE_NAMES: ReadonlySet<string> = new Set(['robots.txt', 'llms.txt', 'sitemap.xml']);

const TOUCHES = 'A word or figure touches a backtick; put blanks between.';

/** Reads a text piece by piece, and knows what stood before: a figure may be spread over lines and backticks. */
export function createWordReader(known: KnownFacts) {
  const figures = createFigureReader(known);
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
      before = '';
      return line.slice(marker[0].length);
    }
    const isBulleted = /^\s{0,8}[-+]\s/.test(line);
    isParagraph = line.trim() !== '' && !isBulleted;
    // A new entry, or paragraph, goes on with nothing.
    if (!isParagraph) before = '';
    return line;
  }

  function* readToken(token: string): Generator<string> {
    if (readsAsOne(before, token))
      yield `"${shortened(before)} ${shortened(token)}" reads as one figure; put words between.`;
    if (/[\p{L}\p{N}]/u.test(token)) yield* readParts(token);
    else yield* figures.pass(trimmed(token));
    // The end of a sentence, or of a part of it.
    if (/[.,;:!?]$/.test(token)) yield* figures.pass('');
    if (!/^[-–—/.·()+]+$/.test(token)) before = token;
  }

  function* readParts(token: string): Generator<string> {
    if (isLink(token)) return yield `"${shortened(token)}" is a link or an address; write none.`;
    const parts = token.split(/[/–—]/).map(trimmed);
    if (parts.some((part, at) => at > 0 && areJoinedFigures(parts[at - 1]!, part, known)))
      yield `"${shortened(token)}" joins figures; put words between.`;
    for (const part of parts) {
      // A day keeps its dashes.
      if (known.hasInstant(part)) {
        yield* figures.pass('');
        continue;
      }
      if (/\d-\d/.test(part)) yield `"${shortened(token)}" joins figures; put words between.`;
      const sign = /^[-−]\d/.test(part) ? '-' : '';
      for (const [at, word] of part.split(/-|[:;,](?!\d)|(?<!\d)[:;,]/).entries())
        yield* readWord(trimmed(word), at <= 1 ? sign : '');
    }
  }

  function* readWord(word: string, sign: Sign): Generator<string> {
    const lower = word.toLowerCase();
    if (word === '') return;
    if (TERMS.has(lower)) return yield* figures.pass('');
    const number = readNumber(word, sign);
    if (number !== null) return yield* figures.take({ ...number, written: shortened(word) }, number.suffix);
    yield* figures.pass(lower);
    yield* problemsOfWord(word, known);
  }

  return {
    /** @param words without marks of emphasis. */
    *readWords(words: string): Generator<string> {
      if (afterCode && /^(?:[\p{L}\p{N}]|\.\d)/u.test(words)) yield TOUCHES;
      afterCode = false;
      for (const [at, line] of words.split('\n').entries()) {
        // The first goes on in the line that code stood in.
        const rest = at === 0 && before !== '' ? line : withoutMarker(line);
        for (const token of rest.split(/\s+/)) if (token !== '') yield* readToken(token);
      }
    },
    /** @param code what stands between backticks. @param words those before it. */
    *readCode(code: string, words: string): Generator<string> {
      if (/[\p{L}\p{N}.]$/u.test(words)) yield TOUCHES;
      if (isNumber(code)) {
        if (readsAsOne(before, code))
          yield `"${shortened(before)} ${shortened(code)}" reads as one figure; put words between.`;
        // A figure in backticks is a figure.
        yield* figures.take({ written: shortened(code), number: code.replaceAll(',', ''), sign: '' }, '');
      } else {
        yield* figures.pass('');
        if (!isKnownName(code, known)) yield `\`${shortened(code)}\` was in no tool's result.`;
      }
      before = code;
      afterCode = true;
    },
    *end(): Generator<string> {
      yield* figures.pass('');
    },
  };
}

/** Two figures with nothing but blanks and marks between them, as in a number to call; `404 (87 requests)` are two. */
function readsAsOne(before: string, token: string): boolean {
  if (!/^[(+]{0,2}\d[\d.,]{0,30}\)?$/.test(before) || /[.,]$/.test(before)) return false;
  return /^\d.*\d$|^\d$/.test(before) ? /^\+?\d/.test(token) : /^[(+]{0,2}\d/.test(token);
}

/** A name that a tool gave, by the letter. One that begins with a number would read as a figure; a path does not. */
function isKnownName(code: string, known: KnownFacts): boolean {
  if (TERMS.has(code) || known.hasInstant(code)) return true;
  if (!known.hasText(code)) return false;
  const isFigure = /\p{N}/u.test(code) && (!/\p{L}/u.test(code) || /^[+(]{0,2}\d[\d.,]*\s/.test(code));
  return code.startsWith('/') || !isFigure;
}

/** Two days may be a range; other figures side by side read as one. */
function areJoinedFigures(one: string, other: string, known: KnownFacts): boolean {
  if (known.hasInstant(one) && known.hasInstant(other)) return false;
  return /\d$/.test(one) && /^\d/.test(other);
}

function* problemsOfWord(word: string, known: KnownFacts): Generator<string> {
  const lower = word.toLowerCase();
  if ((word.match(/\p{L}+/gu) ?? []).some(isNumberWord))
    yield `"${shortened(word)}" is a figure in words; write it in digits.`;
  else if (/(?!\p{Script=Latin})\p{L}|\p{M}/u.test(word))
    yield `"${shortened(word)}" is in another script; put names in backticks, as tools gave them.`;
  else if (isHost(lower))
    yield `"${shortened(word)}" is a host's name; put names in backticks, as tools gave them.`;
  else if (/\p{N}/u.test(word))
    yield `"${shortened(word)}" is no figure of a tool's result; leave it out, or put a name in backticks as the tool gave it.`;
  else if (/(?![A-Za-z])\p{L}/u.test(word) && !known.hasPlaceWord(word))
    yield `"${shortened(word)}" is no English word; put names in backticks, as tools gave them.`;
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
