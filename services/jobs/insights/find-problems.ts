import { findForeignSentence } from './english.js';
import type { KnownFacts } from './known-facts.js';
import { createWordReader } from './read-words.js';

/** What speaks against a text of the model: a figure, a name or a link that it did not have from a tool. */

/** Told to the model; more would not help it. */
const MOST_PROBLEMS = 8;

/**
 * @param text of the model, without control characters (clean-text.ts).
 * @returns sentences for the model, none where nothing speaks against the text.
 */
export function findProblems(text: string, known: KnownFacts): string[] {
  const problems = new Set<string>();
  if (text.split('\n').some(isTableLine)) problems.add('It has a table; write none.');
  const pieces = splitCode(text);
  const foreign = findForeignSentence(withoutMarks(pieces.map(({ words }) => words).join(' ')));
  if (foreign !== null) problems.add(`"${shortened(foreign)}" is not English; write English sentences.`);
  const reader = createWordReader(known);
  for (const { code, words } of pieces) {
    const seen = withoutMarks(words);
    for (const problem of reader.readWords(seen)) problems.add(problem);
    if (code === null) continue;
    for (const problem of reader.readCode(code, seen)) problems.add(problem);
  }
  for (const problem of reader.end()) problems.add(problem);
  return [...problems].slice(0, MOST_PROBLEMS);
}

/** The line below a table's head. In tables code is no code everywhere: what is in backticks could be a link. */
function isTableLine(line: string): boolean {
  return /^[\s|:-]{2,200}$/.test(line) && line.includes('-') && /[|:]/.test(line);
}

/** Marks of emphasis are not seen: 1**2**3 reads as 123. */
function withoutMarks(words: string): string {
  return words
    .replaceAll('|', ' ')
    .replaceAll(/[*_~]/g, '')
    .replaceAll(/\bper cent\b/gi, 'percent')
    .replaceAll(/\bpercentage[ -]points?\b/gi, 'pp');
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

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
