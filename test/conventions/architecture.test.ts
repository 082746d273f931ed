import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';

/** Bounds on the length of ARCHITECTURE.md and of decisions, so that a person can read each in one go. */

const architecture = readFileSync('ARCHITECTURE.md', 'utf8');

/** The text of a section, without its title. */
const sectionOf = (title: string) => architecture.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

describe('ARCHITECTURE.md', () => {
  it('has at most 15 KB', () => {
    expect(Buffer.byteLength(architecture)).toBeLessThanOrEqual(15 * 1024);
  });

  it('explains at most 20 terms, each once', () => {
    const [, , ...rows] = sectionOf('Glossary').trim().split('\n');
    const terms = rows.map((row) => row.split('|')[1]!.trim());
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(20);
    expect(new Set(terms).size).toBe(terms.length);
  });
});

const FOLDER = 'docs/decisions';
const decisions = readdirSync(FOLDER).sort();

test('decisions are numbered without a gap', () => {
  const numbers = decisions.map((_, index) => String(index + 1).padStart(3, '0'));
  expect(decisions.map((name) => name.slice(0, 3))).toEqual(numbers);
});

test.each(decisions)('%s has the form of a decision, in at most 2 KB', (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  expect(text.startsWith(`# ${name.slice(0, 3)}. `)).toBe(true);
  const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(['Context', 'Decision', 'Consequence', 'Figure']);
});
