import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Documents are written in plain English: short sentences and standard words. Code, tables of names and titles are not prose. */

const LONGEST = 25;

/** Words that hide the subject or the standard term of a sentence. */
const UNCLEAR =
  /\b(whoever|whatever is|is told|are told|tells|stands? (?:in|behind|beside|for)|is held|are held|held (?:by|against)|goes on where|asked of|but for|made anew|in turns)\b/i;

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => `docs/${name}`),
];

/** Sentences of a document; a cell of a table is at least one. Inline code and lists in parentheses count as one word. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/^ *```.*?^ *```/gms, '')
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? line.split('|') : [line]))
    .map((part) => part.replace(/`[^`]*`/g, 'x').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .flatMap((part) => part.split(/(?<=[.!?])\s|[;:] /))
    .map((sentence) => sentence.replace(/\([^)]*\)/g, '').trim());
}

function problemsOf(file: string, text: string): string[] {
  return sentencesOf(text)
    .filter(
      (sentence) =>
        sentence.replace(/(x, )+/g, '').split(/\s+/).length > LONGEST ||
        UNCLEAR.test(sentence) ||
        /^Of (the|these|those|what|a)\b/.test(sentence),
    )
    .map((sentence) => `${file}: ${sentence}`);
}

describe('the prose of documents', () => {
  it('has short sentences, and no words that have to be read twice', () => {
    expect(documents.flatMap((file) => problemsOf(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('is checked in paragraphs and tables, outside of code', () => {
    expect(problemsOf('x', `${'word '.repeat(LONGEST + 1)}.`)).toHaveLength(1);
    expect(problemsOf('x', '| `a` | whoever sends it |')).toHaveLength(1);
    expect(problemsOf('x', 'Of the rows only the path is read.')).toHaveLength(1);
    expect(problemsOf('x', '```sh\nwhoever sends it\n```')).toEqual([]);
  });
});
