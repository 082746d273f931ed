/** Texts on their way to the model and back. */

/** Of one text in a tool's result. */
const MOST_CHARACTERS = 120;

/** Control characters, line ends among them, and those that nobody sees: direction, joiners, tags. Halves of surrogate pairs, too. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * A text of the log as the model sees it, which `cleanText` leaves as it is. What could end the data or begin something else is taken out: our
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
const MOST_CONTENT = 4_000;

/**
 * The model's text, to be looked at by find-problems.ts: without what nobody sees, without backslashes, with backticks in pairs within a line, and not
 * longer than an insight may be: it ends with a whole paragraph.
 */
export function cleanText(text: string): string {
  const lines = text
    .slice(0, 4 * MOST_CONTENT)
    .normalize('NFKC')
    .split(/\r?\n/)
    .map((line) => pairedTicks(line.replace(UNSEEN, ' ').replaceAll('\\', '').trimEnd()));
  return shortened(lines.join('\n').trim());
}

/** Runs of backticks become one; the last of an odd number goes. A line of nothing else was a fence. */
function pairedTicks(line: string): string {
  const single = line.replace(/`+/g, '`');
  if (single.trim() === '`' || /^\s*(?:`|~{3,20})[a-z]{0,20}$/i.test(single)) return '';
  if (single.split('`').length % 2 === 1) return single;
  const last = single.lastIndexOf('`');
  return single.slice(0, last) + single.slice(last + 1);
}

function shortened(text: string): string {
  if (text.length <= MOST_CONTENT) return text;
  const cut = text.slice(0, MOST_CONTENT);
  const end = Math.max(cut.lastIndexOf('\n\n'), cut.lastIndexOf('\n'));
  return (end > 0 ? cut.slice(0, end) : cut).trimEnd();
}

/**
 * A text in which nothing was found, as Markdown that is no more than text: what would be HTML, an image or a link reads as it is written.
 * In backticks nothing is anything else.
 */
export function toSafeMarkdown(text: string): string {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('[', '\\[')
            .replaceAll(']', '\\]')
            .replaceAll('|', '\\|'),
    )
    .join('`');
}
