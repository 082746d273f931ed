import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPlaceTableBuilder, type PlaceTableBuilder } from './build-place-table.js';
import type { OnNetwork } from './city-file.js';
import { findPlaceIn, type Place } from './place-table.js';

/** A tree as in the city files: a leaf is an index of `PLACES`, or null for no place. */
type Tree = number | null | readonly [Tree, Tree];

const PLACES: readonly Place[] = [
  { country: 'DE', region: 'Hesse', city: 'Frankfurt am Main' },
  { country: 'FR', region: '', city: '' },
  { country: '', region: 'Ünï', city: 'a\u{1F600}' },
];

const treeOf = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 7, depthSize: 'small' },
    fc.constantFrom(null, 0, 1, 2),
    fc.tuple(tie('tree'), tie('tree')),
  ),
})).tree;

/** The tree under a prefix of `bits` zero bits; the other branches are `other`. */
function below(bits: number, tree: Tree, other: Tree): Tree {
  return bits === 0 ? tree : [below(bits - 1, tree, other), other];
}

function walk(tree: Tree, words: number, { numberOf }: PlaceTableBuilder, onLeaf: OnNetwork) {
  const start = new Uint32Array(words);
  const go = (at: Tree, depth: number) => {
    if (at === null || typeof at === 'number')
      return onLeaf(start, depth, numberOf(at === null ? null : (PLACES[at] as Place)));
    go(at[0], depth + 1);
    const bit = 0x8000_0000 >>> (depth & 31);
    start[depth >>> 5] = (start[depth >>> 5] as number) | bit;
    go(at[1], depth + 1);
    start[depth >>> 5] = (start[depth >>> 5] as number) & ~bit;
  };
  go(tree, 0);
}

/** Look-up in the tree itself. */
function inTree(tree: Tree, words: Uint32Array): Place | null {
  let at = tree;
  for (let depth = 0; at !== null && typeof at !== 'number'; depth += 1) {
    at = at[((words[depth >>> 5] as number) >>> (31 - (depth & 31))) & 1] as Tree;
  }
  return at === null ? null : (PLACES[at] as Place);
}

const word = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.constantFrom(0, 1, 0xffff, 0x1_0000, 0x8000_0000, 0xffff_ffff),
  fc.nat(300),
);

describe('a table of places answers as its source tree', () => {
  test('IPv4', () => {
    fc.assert(
      fc.property(
        treeOf,
        fc.nat(25),
        fc.constantFrom(null, 0, 2),
        fc.array(word, { maxLength: 40 }),
        (own, bits, other, asked) => {
          const tree = below(bits, own, other);
          const builder = createPlaceTableBuilder();
          walk(tree, 1, builder, builder.onIpv4);
          builder.onIpv6(new Uint32Array(4), 1, builder.numberOf(null));
          const table = builder.finish();
          for (const address of asked) {
            expect(findPlaceIn(table, address)).toEqual(inTree(tree, Uint32Array.of(address)));
          }
        },
      ),
    );
  });

  test('IPv6, with networks smaller than 64 bits', () => {
    const addresses = fc.array(fc.tuple(word, word, word, word), { maxLength: 40 });
    fc.assert(
      fc.property(treeOf, fc.nat(120), fc.constantFrom(null, 0, 2), addresses, (own, bits, other, asked) => {
        const tree = below(bits, own, other);
        const builder = createPlaceTableBuilder();
        builder.onIpv4(new Uint32Array(1), 1, builder.numberOf(null));
        walk(tree, 4, builder, builder.onIpv6);
        const table = builder.finish();
        for (const words of asked) {
          const low = words.map((one, at) => (at * 32 + 32 <= bits ? 0 : one));
          for (const address of [Uint32Array.from(words), Uint32Array.from(low)]) {
            expect(findPlaceIn(table, address)).toEqual(inTree(tree, address));
          }
        }
      }),
    );
  });
});

describe('the size of a table', () => {
  const [paris, other] = [PLACES[1] as Place, PLACES[2] as Place];

  test('adjacent networks of one place are one range, and each place is stored once', () => {
    const builder = createPlaceTableBuilder();
    builder.onIpv4(Uint32Array.of(0), 2, builder.numberOf(paris));
    builder.onIpv4(Uint32Array.of(0x4000_0000), 2, builder.numberOf({ ...paris }));
    builder.onIpv4(Uint32Array.of(0x8000_0000), 1, builder.numberOf(other));
    builder.onIpv6(Uint32Array.of(0, 0, 0, 0), 1, builder.numberOf(paris));
    builder.onIpv6(Uint32Array.of(0x8000_0000, 0, 0, 0), 1, builder.numberOf(paris));
    const { ipv4, ipv6, textEnds, small } = builder.finish();
    expect([ipv4.tails.length, ipv6.tails.length, textEnds.length - 1, small.places.length]).toEqual([
      2, 1, 2, 0,
    ]);
  });

  test('a tab in a name does not separate fields', () => {
    const builder = createPlaceTableBuilder();
    builder.onIpv4(Uint32Array.of(0), 1, builder.numberOf({ country: 'FR', region: 'a\tb', city: 'c' }));
    builder.onIpv6(Uint32Array.of(0, 0, 0, 0), 1, builder.numberOf(null));
    expect(findPlaceIn(builder.finish(), 7)).toEqual({ country: 'FR', region: 'a b', city: 'c' });
  });
});
