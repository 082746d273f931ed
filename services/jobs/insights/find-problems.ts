import { type Fact, type KnownFacts, REFERENCE } from './known-facts.js';

/** Finds the problems in a text of the model: a digit of its own, an unknown reference, a link, a table. */

/** Reported to the model; more would not help it. */
const MOST_PROBLEMS = 8;

/** Replaces a reference while the words are checked. A cleaned text never contains it (clean-text.ts). */
const FACT = '\uE000';

/** Names of files with a dot that people mention, and that are no hosts. */
const FILE_NAMES: ReadonlySet<string> = new Set(['robots.txt', 'llms.txt', 'sitemap.xml']);

/**
 * @param text of the model, cleaned (clean-text.ts)
 * @returns sentences for the model; none if the text has no problem
 */
export function findProblems(text: string, known: KnownFacts): string[] {
  const problems = new Set<string>();
  if (text.split('\n').some(isTableLine)) problems.add('It has a table; write none.');
  const [first, ...rest] = `\n${withDashes(text)}\n`.split(REFERENCE);
  const words = [first!, ...rest.filter((_, at) => at % 2 === 1)].map(withoutMarks);
  const numbers = rest.filter((_, at) => at % 2 === 0);
  for (const number of numbers)
    if (known.get(number) === undefined)
      problems.add(`There is no {fact_${number}}; refer to facts that you were shown.`);
  for (const token of words.join(FACT).split(/\s+/)) {
    const problem = problemOfToken(token);
    if (problem !== null) problems.add(`"${shortened(token.replaceAll(FACT, '{…}'))}" ${problem}`);
  }
  const facts = numbers.map((number) => known.get(number));
  for (const [at, number] of numbers.entries()) {
    if (!isApart(words[at]!, words[at + 1]!))
      problems.add(`{fact_${number}} touches a word or a sign; put blanks around it.`);
    if (at > 0 && isFigure(facts[at - 1]) && isFigure(facts[at]) && readsAsOne(words[at]!))
      problems.add(`{fact_${numbers[at - 1]}} and {fact_${number}} read as one figure; put words between.`);
  }
  return [...problems].slice(0, MOST_PROBLEMS);
}

/** @param token without blanks. @returns its problem, as the end of a sentence; null: none */
function problemOfToken(token: string): string | null {
  if (/\p{N}/u.test(token)) return 'has a digit; write {fact_N}, the reference of a fact, or leave it out.';
  if (/[{}]/.test(token))
    return 'has a brace that is no reference; write {fact_N} with a number that you were shown.';
  if (/[%‰‱°×\p{Sc}]/u.test(token)) return 'has a unit; a reference brings its unit with it.';
  if (isLink(token)) return 'is a link or an address; write none.';
  if (isHost(token)) return "is a host's name; write the reference of a fact.";
  if (/(?!\p{Script=Latin})\p{L}|\p{M}/u.test(token))
    return 'is in another script; write names as references.';
  return null;
}

/** The line below a table's head. Tables would need escapes of their own. */
function isTableLine(line: string): boolean {
  return /^[\s|:-]{2,200}$/.test(line) && line.includes('-') && /[|:]/.test(line);
}

/** An asterisk before a list entry is no emphasis. */
function withDashes(text: string): string {
  return text.replaceAll(/^(\s{0,8})\*(?=\s)/gm, '$1-');
}

/** Removes marks of emphasis, which are invisible: nothing touches the fact in `**{fact_7}**`. */
function withoutMarks(words: string): string {
  return words.replaceAll('|', ' ').replaceAll(/[*_~]/g, '');
}

/** A figure must not be changed by a sign before it or a `k` after it. */
function isApart(before: string, after: string): boolean {
  return /[\s("'“‘]$/.test(before) && /^[\s.,;:!?)"'”’…]/.test(after);
}

function isFigure(fact: Fact | undefined): boolean {
  return fact?.kind === 'figure';
}

/** Whether the text between two figures joins them to one, as in a phone number. `404 (87 requests)` are two. */
function readsAsOne(between: string): boolean {
  return !/\p{L}|^["'”’)]{0,2}[.,;:!?]\s|\s\(|\n\s{0,8}(?:\n|[-+]\s)/u.test(between);
}

/** Whether Markdown programs make a link of the bare text. */
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

/** Searches the whole token, since a host may be followed by punctuation. */
function isHost(token: string): boolean {
  const name = token
    .toLowerCase()
    .replace(/^["'“‘(]+/, '')
    .replace(/["'”’),.;:!?]+$/, '');
  return !FILE_NAMES.has(name) && /[\p{L}\uE000][.。]\p{L}{2}/u.test(name);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
