/**
 * Classifies a segment of a path by its own text: ids, dates, hashes and similar become a placeholder at any position. Pure, so that a path
 * has the same result on every day. All expressions read the text in one direction and cannot backtrack.
 */

/** Language codes in a path's first segment. Excludes codes that are also common words (my, to, is). */
const languages: ReadonlySet<string> = new Set(
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl nn no pl pt ro ru sk sl sr sv sw ta th tr uk ur vi zh'.split(
    ' ',
  ),
);

const NUMBER = /^\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^(19|20)\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/;
const YEAR = /^(19|20)\d\d$/;
const MONTH = /^(0[1-9]|1[0-2])$/;
const DAY = /^(0[1-9]|[12]\d|3[01])$/;
const REGION = /^[a-z]{2}[-_][a-z]{2}$/i;
const PAGE_WORD = /^(page|pagina|pag|seite)$/i;
const PAGE = /^(page|pagina|pag|seite)[-_]?\d{1,6}$/i;
const SHORT_ID = /^[a-z]{1,2}\d{3,}$/i;
const HEXADECIMAL = /^[0-9a-f]{8,}$/i;
const EXTENSION = /^[a-z][a-z0-9]{0,4}$/i;
const TOKEN = /^[A-Za-z0-9_-]+$/;
const DIGIT = /\d/;

/** A text of at least this length is not the name of a section. */
const LONGEST_NAME = 60;
/** Minimum length of a hash, as in HEXADECIMAL. */
const SHORTEST_HASH = 8;
/** Minimum length of a token, which mixes both cases and digits. */
const SHORTEST_TOKEN = 10;

/**
 * Replaces the segments of a path that are not names by placeholders. All others are unchanged, for learn-patterns.ts, which compares
 * siblings.
 * @param segments the parts between the slashes.
 */
export function classifySegments(segments: readonly string[]): string[] {
  const labels: string[] = [];
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!;
    if (index === 0 && isLanguage(segment)) labels.push('{lang}');
    else labels.push(classifyDigits(segments, index, labels) ?? classifyOne(segment));
  }
  return labels;
}

/** Page numbers and parts of dates, which depend on their neighbours; null: it is neither. */
function classifyDigits(
  segments: readonly string[],
  index: number,
  labels: readonly string[],
): string | null {
  const segment = segments[index]!;
  if (!NUMBER.test(segment)) return null;
  const before = labels[index - 1];
  if (YEAR.test(segment) && MONTH.test(segments[index + 1] ?? '')) return '{year}';
  if (before === '{year}' && MONTH.test(segment)) return '{month}';
  if (before === '{month}' && DAY.test(segment)) return '{day}';
  return index > 0 && PAGE_WORD.test(segments[index - 1]!) ? '{page}' : null;
}

function isLanguage(segment: string): boolean {
  if (segment.length === 2) return languages.has(segment.toLowerCase());
  return segment.length === 5 && REGION.test(segment) && languages.has(segment.slice(0, 2).toLowerCase());
}

/** Whether a page number follows it. */
export function isPageWord(label: string): boolean {
  return PAGE_WORD.test(label);
}

function classifyOne(segment: string): string {
  const semicolon = segment.indexOf(';');
  if (semicolon > 0) return `${classifyOne(segment.slice(0, semicolon))};{params}`;
  const { base, extension } = splitExtension(segment);
  const label = classifyBase(base);
  return label === base ? segment : `${label}${extension}`;
}

/** The extension with its dot; '' without one. */
export function splitExtension(segment: string): { base: string; extension: string } {
  const dot = segment.lastIndexOf('.');
  return dot > 0 && EXTENSION.test(segment.slice(dot + 1))
    ? { base: segment.slice(0, dot), extension: segment.slice(dot) }
    : { base: segment, extension: '' };
}

/** Most segments are words: only those with a digit are tested for ids. */
function classifyBase(base: string): string {
  const hasDigit = DIGIT.test(base);
  if (hasDigit) {
    if (NUMBER.test(base)) return '{number}';
    if (base.length === 36 && UUID.test(base)) return '{uuid}';
    if (base.length <= 10 && DATE.test(base)) return '{date}';
    if (PAGE.test(base)) return `${base.slice(0, base.search(DIGIT))}{page}`;
    if (isHash(base)) return '{hash}';
    if (SHORT_ID.test(base) || isToken(base)) return '{id}';
  }
  return classifyWords(base, hasDigit);
}

/** A text of few words may be a name. Three or more words, or two with a digit, are a title. */
function classifyWords(base: string, hasDigit: boolean): string {
  if (base.length >= LONGEST_NAME) return '{slug}';
  const words = countWords(base);
  // A versioned file: shop.9f31c2ab.js. A hash has a digit.
  if (words <= 3 && hasDigit && base.length >= SHORTEST_HASH) {
    const texts = wordsOf(base);
    if (texts.some(isHash)) return texts.map((word) => (isHash(word) ? '{hash}' : word)).join('.');
  }
  if (words >= 3) return '{slug}';
  return words === 2 && hasDigit ? '{slug}' : base;
}

function wordsOf(base: string): string[] {
  return base
    .replaceAll('%20', ' ')
    .split(/[-_+.~ ]/)
    .filter((word) => word !== '');
}

/** By the code of a character: whether it separates words. */
const separators = Array.from({ length: 128 }, (_, code) => '-_+.~ '.includes(String.fromCharCode(code)));
const PERCENT = '%'.charCodeAt(0);

/** The number of {@link wordsOf}, counted without allocating them: a website has tens of thousands of segments. */
function countWords(base: string): number {
  let words = 0;
  let isInWord = false;
  for (let at = 0; at < base.length; at++) {
    const code = base.charCodeAt(at);
    const isEncodedBlank = code === PERCENT && base.startsWith('%20', at);
    if (isEncodedBlank) at += 2;
    const isWord = !isEncodedBlank && separators[code] !== true;
    if (isWord && !isInWord) words++;
    isInWord = isWord;
  }
  return words;
}

/** Hexadecimal with letters and digits: `facade` is a word, and `20261122` a number. */
function isHash(text: string): boolean {
  return HEXADECIMAL.test(text) && DIGIT.test(text) && /[a-f]/i.test(text);
}

function isToken(text: string): boolean {
  return (
    text.length >= SHORTEST_TOKEN &&
    TOKEN.test(text) &&
    DIGIT.test(text) &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    text.split(/[-_]/).length <= 2
  );
}
