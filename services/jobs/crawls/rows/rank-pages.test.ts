import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../shared/pacing/turns.js';
import { createLinkGraphBuilder, FOLLOWED, NOFOLLOW, REDIRECT } from './link-graph.js';
import { DAMPING, rankPages } from './rank-pages.js';

type Link = readonly [from: number, to: number, kind?: number];

function graphOf(pages: number, links: readonly Link[]) {
  const builder = createLinkGraphBuilder(pages);
  for (let page = 0; page < pages; page += 1) {
    const own = links.filter(([from]) => from === page);
    builder.add(page, own.length, (index) => ({ to: own[index]![1], kind: own[index]![2] ?? FOLLOWED }));
  }
  return builder.build();
}

const ranked = (pages: number, links: readonly Link[], home = [0]) =>
  rankPages(graphOf(pages, links), home, createTurns());

const linksOf = (pages: number) => {
  const page = fc.integer({ min: 0, max: pages - 1 });
  return fc.array(fc.tuple(page, page, fc.constantFrom(FOLLOWED, FOLLOWED, NOFOLLOW)), {
    maxLength: pages * 4,
  });
};
const worlds = fc
  .integer({ min: 1, max: 40 })
  .chain((pages) => fc.record({ pages: fc.constant(pages), links: linksOf(pages) }));

/**
 * PageRank by its definition (Brin and Page, 1998), solved as a system of linear equations. A page's rank is (1 - d) / n, plus d times
 * the rank that it gets over links. A page without followed links gives an equal share to all pages. If a link is repeated, the first counts.
 */
function exactRanks(pages: number, links: readonly Link[]): number[] {
  const targets = Array.from({ length: pages }, () => new Map<number, boolean>());
  for (const [from, to, kind] of links) {
    if (from !== to && !targets[from]!.has(to)) targets[from]!.set(to, kind !== NOFOLLOW);
  }
  // Row by row: the page's rank minus its share from each other page; on the right the share of every page.
  const rows = Array.from({ length: pages }, (_, page) => [
    ...Array.from({ length: pages }, (_, from) => (page === from ? 1 : 0)),
    (1 - DAMPING) / pages,
  ]);
  targets.forEach((all, from) => {
    const followed = [...all].flatMap(([to, isFollowed]) => (isFollowed ? [to] : []));
    const heirs = followed.length > 0 ? followed : [...rows.keys()];
    for (const to of heirs) rows[to]![from]! -= DAMPING / heirs.length;
  });
  const ranks = solve(rows);
  const highest = Math.max(...ranks);
  return ranks.map((rank) => rank / highest);
}

/** Gauss-Jordan elimination without row exchanges: each column's diagonal outweighs the rest of it. @param rows changed in place */
function solve(rows: number[][]): number[] {
  for (const [at, row] of rows.entries()) {
    const pivot = row[at]!;
    for (let column = 0; column < row.length; column += 1) row[column]! /= pivot;
    for (const [other, reduced] of rows.entries()) {
      const factor = reduced[at]!;
      if (other !== at)
        for (let column = 0; column < row.length; column += 1) reduced[column]! -= factor * row[column]!;
    }
  }
  return rows.map((row) => row.at(-1)!);
}

describe('ranks of pages', () => {
  test('PageRank agrees with the solution of its equations to 1e-6, for any links', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ pages, links }) => {
        const found = await ranked(pages, links);
        const reference = exactRanks(pages, links);
        for (const { page, pagerank: rank } of found)
          expect(Math.abs(rank - reference[page]!)).toBeLessThan(1e-6);
      }),
    );
  });

  test('the highest rank is 1, and no rank is below 0', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ pages, links }) => {
        const ranks = (await ranked(pages, links)).map(({ pagerank: rank }) => rank);
        expect(Math.max(...ranks)).toBe(1);
        expect(Math.min(...ranks)).toBeGreaterThan(0);
      }),
    );
  });

  test('a nofollow link passes no rank on, but counts as a link', async () => {
    const [, , two, three] = await ranked(4, [
      [0, 1],
      [1, 0],
      [0, 2, NOFOLLOW],
    ]);
    expect(two).toMatchObject({ inlinks: 1, depth: 1, pagerank: three!.pagerank });
  });

  test('repeated links and links to the page itself are ignored', async () => {
    const plain = await ranked(3, [
      [0, 1],
      [0, 2],
      [1, 0],
    ]);
    expect(
      await ranked(3, [
        [0, 1],
        [0, 1],
        [0, 0],
        [0, 2],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual(plain);
    expect(plain[0]).toMatchObject({ inlinks: 1, outlinks: 2 });
  });

  test('the depth is the smallest number of links from the home page; orphans have none', async () => {
    const pages = await ranked(6, [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 3],
      [4, 5],
    ]);
    expect(pages.map(({ depth }) => depth)).toEqual([0, 1, 2, 1, null, null]);
  });

  test('a redirect adds no click, in a chain and in a loop', async () => {
    const chain = await ranked(5, [
      [0, 1, REDIRECT],
      [1, 2, REDIRECT],
      [2, 3],
      [3, 4],
      [4, 3],
    ]);
    expect(chain.map(({ depth }) => depth)).toEqual([0, 0, 0, 1, 2]);
    const loop = await ranked(3, [
      [0, 1],
      [1, 2, REDIRECT],
      [2, 1, REDIRECT],
    ]);
    expect(loop.map(({ depth }) => depth)).toEqual([0, 1, 1]);
  });

  test('a crawl without pages has no ranks', async () => {
    expect(await rankPages(graphOf(0, []), [], createTurns())).toEqual([]);
  });

  test('links to unknown pages are ignored, and pages without links may be skipped', async () => {
    const builder = createLinkGraphBuilder(4);
    builder.add(2, 3, (index) => ({ to: [1, 9, 0][index]!, kind: FOLLOWED }));
    const graph = builder.build();
    expect([...graph.starts]).toEqual([0, 0, 0, 2, 2]);
    expect([...graph.targets]).toEqual([1, 0]);
    expect(() => builder.add(1, 0, () => ({ to: 0, kind: FOLLOWED }))).toThrow(RangeError);
  });
});
