import { describe, expect, test } from 'vitest';
import { splitStatements } from './migrate.js';

describe('splitStatements', () => {
  test('splits only at semicolons that end a line', () => {
    expect(
      splitStatements("-- first; a\nSELECT 'a;b',\n 1;\n\n-- second\nSELECT 2; \n-- nothing left\n"),
    ).toEqual(["-- first; a\nSELECT 'a;b',\n 1", '\n-- second\nSELECT 2']);
  });
});
