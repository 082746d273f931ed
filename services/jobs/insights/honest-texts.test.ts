import { expect, test } from 'vitest';
import { cleanText } from './clean-text.js';
import { findProblems } from './find-problems.js';
import { honestTexts, shown } from './honest-texts.fixture.js';

test.each(honestTexts)('kept: %s', (text) => {
  expect(findProblems(cleanText(text), shown)).toEqual([]);
});
