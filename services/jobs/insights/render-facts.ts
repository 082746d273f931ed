import { type Fact, type KnownFacts, REFERENCE } from './known-facts.js';

/**
 * Renders a text without problems (find-problems.ts) as an insight: safe Markdown with each fact in place of its reference. Facts are inserted once, so a
 * path that looks like a reference stays a path.
 */
export function renderFacts(text: string, known: KnownFacts): string {
  return text
    .split(REFERENCE)
    .map((part, at) => (at % 2 === 0 ? toSafeMarkdown(part) : renderFact(known.get(part)!)))
    .join('');
}

/** Text in backticks is no Markdown; a name has no backticks (clean-text.ts). */
function renderFact({ kind, text }: Fact): string {
  return kind === 'name' ? `\`${text}\`` : text;
}

/** Escapes HTML, images and links, so they are shown as text. */
function toSafeMarkdown(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('[', '\\[')
    .replaceAll(']', '\\]')
    .replaceAll('|', '\\|');
}
