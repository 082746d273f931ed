import { expect, test } from 'vitest';
import { parseInput } from '../../operation/input.js';
import { directoryParameter } from './directory-parameter.js';

test.each([
  [undefined, '/'],
  ['/', '/'],
  ['/blog', '/blog/'],
  ['/blog/', '/blog/'],
  ['/a/b.c', '/a/b.c/'],
])('a directory of %s is %s', (given, directory) => {
  expect(parseInput(directoryParameter, given)).toBe(directory);
});

test.each(['/search?q=', '/blog#top'])('%s names more than a directory', (given) => {
  expect(() => parseInput(directoryParameter, given)).toThrow('a path without query string and fragment');
});

test.each(['', 'blog/', '*', 'https://example.com/'])(
  '%s is no directory, and the refusal describes one',
  (given) => {
    expect(() => parseInput(directoryParameter, given)).toThrow('a path that begins with a slash');
  },
);
