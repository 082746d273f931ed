import { describe, expect, test } from 'vitest';
import { problemsOf } from './rules.js';
import { sentencesOfCode, sentencesOfMarkdown, sentencesOfSql } from './sentences.js';

describe('a sentence', () => {
  test.each([
    'Of the rows of other paths the path is all that is read.',
    'Whoever has it may.',
    'The client is told the limit.',
    'A block and its repeat stand one behind the other.',
    'The size of what a byte grows to.',
    'What makes its rows count is written last.',
    'The website begins anew.',
    `It has ${'many '.repeat(30)}words.`,
  ])('needs a plainer form: %s', (sentence) => {
    expect(problemsOf(sentence)).not.toEqual([]);
  });

  test.each([
    'For other paths only the path column is read.',
    'Anyone with the link can download.',
    'Of course a retry is safe.',
    'What is a rollup?',
    'A standalone process.',
  ])('is plain: %s', (sentence) => {
    expect(problemsOf(sentence)).toEqual([]);
  });
});

describe('sentences are found', () => {
  const textsOf = (sentences: readonly { text: string }[]) => sentences.map(({ text }) => text);

  test('in Markdown by paragraph, item and cell, without code', () => {
    const text =
      '# Title\n\nOne `x`. Two;\nthree.\n\n- an item\n\n| a cell | another |\n\n```sh\ncode\n```\n';
    expect(textsOf(sentencesOfMarkdown(text))).toEqual([
      'One code.',
      'Two;',
      'three.',
      'an item',
      'a cell',
      'another',
    ]);
  });

  test('in comments and titles of code, with their line', () => {
    const code = "/** Purpose. @x */\nconst a = 'not prose';\n// A reason.\ntest('a title', () => {});\n";
    const found = sentencesOfCode(code);
    expect(textsOf(found)).toContain('a title');
    expect(textsOf(found)).toContain('A reason.');
    expect(textsOf(found).join(' ')).not.toContain('not prose');
    expect(found.find(({ text }) => text === 'A reason.')?.line).toBe(3);
  });

  test('without the tags of parameters, and with the words around code', () => {
    const code =
      '/** @param sql of a time */\nconst a = 1;\n/**\n * With `sync`, it ends. It has `b`, `c` and `d`.\n * @returns text\n */\nconst b = 2;\n';
    expect(textsOf(sentencesOfCode(code))).toEqual([
      'of a time',
      'With code, it ends.',
      'It has code and code.',
      'text',
    ]);
  });

  test('in comments of SQL', () => {
    expect(textsOf(sentencesOfSql('-- A table.\nCREATE TABLE x (a UInt8);\n'))).toEqual(['A table.']);
  });
});
