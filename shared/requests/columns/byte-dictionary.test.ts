import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsAlike, textsOf } from '../../../test/harness/enricher/byte-dictionary.js';
import { runs } from '../../../test/harness/runs.js';
import { type ByteDictionary, createByteDictionary } from './byte-dictionary.js';
import { hashBytes, viewOf } from './hash-bytes.js';

const CAPACITY = 256;

let isHashed = false;

/** The reader of lines computes some hashes itself. */
function placeOfBytes(dictionary: ByteDictionary, text: string): number {
  const view = viewOf(Buffer.from(text));
  isHashed = !isHashed;
  const hash = isHashed ? hashBytes(view, 0, view.byteLength) : 0;
  const ids = new Uint32Array(1);
  expect(dictionary.placeRows(view, Int32Array.of(0, view.byteLength, hash), 1, ids)).toBe(1);
  return ids[0]!;
}

test('texts with equal hashes have separate places, and no block keeps those of an earlier one', () => {
  const dictionary = createByteDictionary(CAPACITY);
  const texts = textsAlike(
    60,
    (hash) => hash & (2 * CAPACITY - 1),
    (number) => `text ${number}`,
  );
  for (const block of [texts, texts.toReversed(), texts.slice(30), ['alone', ...texts.slice(50)]]) {
    expect(block.map((text) => placeOfBytes(dictionary, text))).toEqual(block.map((_, place) => place));
    expect(block.map((text) => placeOfBytes(dictionary, text))).toEqual(block.map((_, place) => place));
    expect(textsOf(dictionary)).toEqual(block);
    dictionary.clear();
  }
});

/** Lengths of one to four bytes, and beyond the limits of direct writes and of a buffer. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '漢', '\u{1F600}'), maxLength: 3 }),
  fc
    .tuple(fc.constantFrom('a', 'é', '漢', '\u{1F600}'), fc.integer({ min: 40, max: 9_000 }))
    .map(([unit, times]) => unit.repeat(times)),
);

test('each text has the place of its first occurrence, as bytes, and keeps its bytes', () => {
  const dictionary = createByteDictionary(CAPACITY);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      dictionary.clear();
      const first = [...new Set(texts)];
      expect(texts.map((each) => placeOfBytes(dictionary, each))).toEqual(
        texts.map((each) => first.indexOf(each)),
      );
      expect(textsOf(dictionary)).toEqual(first);
      expect(dictionary.size).toBe(first.length);
    }),
    { numRuns: runs(200) },
  );
});

test('a text that is added as a string, and then as bytes, has one place', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(text, { maxLength: 20 }),
      fc.array(text, { maxLength: 20 }),
      (strings, bytes) => {
        const dictionary = createByteDictionary(CAPACITY);
        expect(strings.map((each) => dictionary.placeOfText(each))).toEqual(strings.map((_, place) => place));
        for (const each of bytes) placeOfBytes(dictionary, each);
        const all = [...new Set([...strings, ...bytes])];
        expect(textsOf(dictionary)).toEqual(all);
        for (const each of strings) expect(placeOfBytes(dictionary, each)).toBe(all.indexOf(each));
      },
    ),
    { numRuns: runs(200) },
  );
});
