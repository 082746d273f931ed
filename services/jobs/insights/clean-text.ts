import { spaceHidden } from '../../../shared/visible-text.js';

/** Cleans texts to and from the model. */

/** For one text in a tool's result. */
const MOST_CHARACTERS = 120;

/**
 * Cleans a text of the log for the model and for readers of an insight. It removes the characters that could end the data or begin other markup: our
 * delimiters, backticks, backslashes, invisible characters and the start of a link.
 */
export function cleanData(text: string): string {
  const cleaned = spaceHidden(text.normalize('NFKC'))
    .replace(/[<>`\\]/g, '')
    .replace(/:\/{2,}/g, ':')
    // Removals may have joined characters that normalise together.
    .normalize('NFKC')
    .trim();
  return cleaned.length <= MOST_CHARACTERS
    ? cleaned
    : `${spaceHidden(cleaned.slice(0, MOST_CHARACTERS)).trimEnd()}...`;
}

/** For an insight; the prompt requests some hundred words. */
export const MOST_CONTENT = 4_000;

/** Number characters that become letters or vanish in {@link cleanText}: `Ⅳ`. ASCII digits stay. */
const OTHER_NUMBERS = /[^\P{N}0-9]/u;

/**
 * Cleans the model's text for find-problems.ts. It removes invisible characters, backslashes and backticks, and cuts the text to the length of an insight
 * after a complete paragraph. Backticks are reserved for facts, which the program inserts.
 */
export function cleanText(text: string): string {
  const lines = bounded(text)
    .normalize('NFKC')
    .split(/\r?\n/)
    .map((line) => (isFence(line) ? '' : spaceHidden(line).replaceAll(/[\\`]/g, '').trimEnd()));
  return shortened(lines.join('\n').trim());
}

/** @param text the model's unchanged text */
export function hasOtherNumbers(text: string): boolean {
  return OTHER_NUMBERS.test(bounded(text));
}

/** Limits the examined text. A longer one is cut to the length of an insight anyway. */
function bounded(text: string): string {
  return text.slice(0, 4 * MOST_CONTENT);
}

function isFence(line: string): boolean {
  return /^\s{0,8}(?:`{3,20}|~{3,20})[a-z]{0,20}\s{0,8}$/i.test(line);
}

function shortened(text: string): string {
  if (text.length <= MOST_CONTENT) return text;
  const cut = text.slice(0, MOST_CONTENT);
  const end = Math.max(cut.lastIndexOf('\n\n'), cut.lastIndexOf('\n'));
  return (end > 0 ? cut.slice(0, end) : cut).trimEnd();
}
