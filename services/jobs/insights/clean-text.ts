/** Texts on their way to the model and back. */

/** Of one text in a tool's result. */
const MOST_CHARACTERS = 120;

/** Control characters, line ends among them, and those that nobody sees: direction, joiners, tags. Halves of surrogate pairs, too. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * A text of the log as the model and the reader of an insight see it. What could end the data or begin something else is taken out: our
 * delimiters, backticks, backslashes, what no one sees, and the beginning of a link, so that there is none to repeat.
 */
export function cleanData(text: string): string {
  const cleaned = text
    .normalize('NFKC')
    .replace(UNSEEN, ' ')
    .replace(/[<>`\\]/g, '')
    .replace(/:\/{2,}/g, ':')
    // What was apart may belong together now.
    .normalize('NFKC')
    .trim();
  return cleaned.length <= MOST_CHARACTERS
    ? cleaned
    : `${cleaned.slice(0, MOST_CHARACTERS).replace(UNSEEN, '').trimEnd()}...`;
}

/** Of an insight; some hundred words are asked for. */
export const MOST_CONTENT = 4_000;

/** Number characters that become letters or nothing in {@link cleanText}: `Ⅳ`. Digits of ASCII stay. */
const OTHER_NUMBERS = /[^\P{N}0-9]/u;

/**
 * The model's text, to be looked at by find-problems.ts: without what nobody sees, without backslashes and backticks, and not longer than an
 * insight may be: it ends with a whole paragraph. Only facts stand in backticks, and the program writes those.
 */
export function cleanText(text: string): string {
  const lines = bounded(text)
    .normalize('NFKC')
    .split(/\r?\n/)
    .map((line) => (isFence(line) ? '' : line.replace(UNSEEN, ' ').replaceAll(/[\\`]/g, '').trimEnd()));
  return shortened(lines.join('\n').trim());
}

/** @param text of the model, as it came. */
export function hasOtherNumbers(text: string): boolean {
  return OTHER_NUMBERS.test(bounded(text));
}

/** Looked at no further: what is longer is cut to the length of an insight in any case. */
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
