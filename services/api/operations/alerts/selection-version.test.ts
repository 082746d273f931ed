import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PublicError } from '../../../../shared/errors.js';
import { decodeVersion, encodeVersion, MAX_VERSION_LENGTH, MOST_HASHES } from './selection-version.js';

const question = ['web_1', [24], null];
const version = (hashes: number[]) => ({
  selection: {
    start: Date.parse('2026-11-20T00:00:00Z'),
    end: Date.parse('2026-11-21T12:00:00Z'),
    newest: { boundary: '2026-11-20T09:00:00.000Z#4f2a9c', hashes },
  },
  total: 1_000,
});

test('is decoded as it was encoded, and fits its parameter with the maximum number of alerts', () => {
  const hashes = Array.from({ length: MOST_HASHES }, (_, index) => 0xffff_ffff - index);
  const text = encodeVersion(version(hashes), question);
  expect(decodeVersion(text, question)).toEqual(version(hashes));
  expect(text.length).toBeLessThanOrEqual(MAX_VERSION_LENGTH);
  expect(decodeVersion(encodeVersion(version([]), question), question)).toEqual(version([]));
});

test.each([[['web_2', [24], null]], [['web_1', [48], null]], [['web_1', [24], 'new_bot']]])(
  'of another question is refused: %j',
  (other) => {
    const text = encodeVersion(version([1]), question);
    expect(() => decodeVersion(text, other)).toThrow(/^selection_version: belongs to another selection/);
  },
);

test('any other text is refused with the name of the parameter', () => {
  const made = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json().map(made), fc.array(fc.anything()).map(made)), (text) => {
      expect(() => decodeVersion(text, question)).toThrow(PublicError);
    }),
  );
});
