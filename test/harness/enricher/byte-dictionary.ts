import type { ByteDictionary } from '../../../shared/requests/columns/byte-dictionary.js';
import { hashBytes, viewOf } from '../../../shared/requests/columns/hash-bytes.js';

/** The texts of a dictionary, by their indexes. */
export function textsOf(dictionary: ByteDictionary): string[] {
  let from = 0;
  return [...dictionary.lengths()].map((length) => {
    from += length;
    return dictionary.bytes().toString('utf8', from - length, from);
  });
}

/** The first texts by number whose hashes have the same `keyOf`, this many of them. */
export function textsAlike(
  count: number,
  keyOf: (hash: number) => number,
  textOf: (number: number) => string,
): string[] {
  const byKey = new Map<number, string[]>();
  for (let number = 0; ; number += 1) {
    const text = textOf(number);
    const view = viewOf(Buffer.from(text));
    const key = keyOf(hashBytes(view, 0, view.byteLength));
    const texts = byKey.get(key) ?? [];
    if (texts.push(text) === count) return texts;
    byKey.set(key, texts);
  }
}
