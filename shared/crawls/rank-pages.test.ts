import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import pagerankModule from 'graphology-metrics/centrality/pagerank.js';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../turns.js';
import { createLinkGraphBuilder, FOLLOWED, NOFOLLOW, REDIRECT } from './link-graph.js';
import { DAMPING, rankPages } from './rank-pages.js';

/** The library is CommonJS, and its types say that it exports a default. */
const pagerank = pagerankModule as unknown as typeof pagerankModule.default;

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

/** As the graph library has it: of several links between two pages the first counts. */
function referenceRanks(pages: number, links: readonly Link[]): number[] {
  const graph = new DirectedGraph();
  for (let page = 0; page < pages; page += 1) graph.addNode(page);
  const met = new Set<string>();
  for (const [from, to, kind] of links) {
    if (from === to || met.has(`${from}>${to}`)) continue;
    met.add(`${from}>${to}`);
    if (kind !== NOFOLLOW) graph.addDirectedEdge(from, to);
  }
  const ranks = pagerank(graph, {
    alpha: DAMPING,
    tolerance: 1e-14,
    maxIterations: 2_000,
    getEdgeWeight: null,
  });
  const list = Array.from({ length: pages }, (_, page) => ranks[page]!);
  const highest = Math.max(...list);
  return list.map((rank) => rank / highest);
}

describe('ranks of pages', () => {
  test('PageRank agrees with a graph library to 1e-6 whatever the links are', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ pages, links }) => {
        const found = await ranked(pages, links);
        const reference = referenceRanks(pages, links);
        for (const { page, pagerank: rank } of found)
          expect(Math.abs(rank - reference[page]!)).toBeLessThan(1e-6);
      }),
    );
  });

  test('the highest rank is 1, and none is below 0 or above it', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ pages, links }) => {
        const ranks = (await ranked(pages, links)).map(({ pagerank: rank }) => rank);
        expect(Math.max(...ranks)).toBe(1);
        expect(Math.min(...ranks)).toBeGreaterThan(0);
      }),
    );
  });

  test('a link marked nofollow hands no rank on, and counts as a link', async () => {
    const [, , two, three] = await ranked(4, [
      [0, 1],
      [1, 0],
      [0, 2, NOFOLLOW],
    ]);
    expect(two).toMatchObject({ inlinks: 1, depth: 1, pagerank: three!.pagerank });
  });

  test('repeated links and links to itself count for nothing', async () => {
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

  test('depth is the fewest links from the home page, and none leads to an orphan', async () => {
    const pages = await ranked(6, [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 3],
      [4, 5],
    ]);
    expect(pages.map(({ depth }) => depth)).toEqual([0, 1, 2, 1, null, null]);
  });

  test('a redirect takes no click, in a chain and in a loop', async () => {
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

  test('a crawl of no page has no ranks', async () => {
    expect(await rankPages(graphOf(0, []), [], createTurns())).toEqual([]);
  });

  test('links to pages that the crawl does not know are left out, and pages without links may be skipped', async () => {
    const builder = createLinkGraphBuilder(4);
    builder.add(2, 3, (index) => ({ to: [1, 9, 0][index]!, kind: FOLLOWED }));
    const graph = builder.build();
    expect([...graph.starts]).toEqual([0, 0, 0, 2, 2]);
    expect([...graph.targets]).toEqual([1, 0]);
    expect(() => builder.add(1, 0, () => ({ to: 0, kind: FOLLOWED }))).toThrow(RangeError);
  });
});
