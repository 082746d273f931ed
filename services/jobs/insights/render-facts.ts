import { type Fact, type KnownFacts, REFERENCE } from './known-facts.js';

/**
 * A text without problems (find-problems.ts) as an insight: safe Markdown with each fact in the place of its reference. Facts are put in once, so
 * that a path that looks like a reference stays a path.
 */
export function renderFacts(text: string, known: KnownFacts): string {
  return text
    .split(REFERENCE)
    .map((part, at) => (at % 2 === 0 ? toSafeMarkdown(part) : renderFact(known.get(part)!)))
    .join('');
}

/** In backticks nothing is Markdown; a name holds none (clean-text.ts). */
function renderFact({ kind, text }: Fact): string {
  return kind === 'name' ? `\`${text}\`` : text;
}

/** Markdown that is no more than text: what would be HTML, an image or a link reads as it is written. */
function toSafeMarkdown(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('[', '\\[')
    .replaceAll(']', '\\]')
    .replaceAll('|', '\\|');
}
