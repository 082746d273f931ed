import type { GiveTurn } from '../../../../shared/pacing/turns.js';
import type { CrawlRank } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { type LinkGraph, NOFOLLOW, REDIRECT } from './link-graph.js';

/**
 * Computes the ranks, depths and inlinks of a crawl's pages from its links. Pure.
 *
 * PageRank (Brin and Page, 1998) within the website: each page gives equal shares of its rank to the pages that it links to. Pages without links give theirs
 * to all. Links marked nofollow pass nothing on. A redirect is the only link of its page, so it passes everything on. A canonical counts as no link, because
 * visitors and crawlers do not follow it.
 */

export const DAMPING = 0.85;
/** Ranks are settled if the sum of all changes in a round is below this; all ranks together are 1. */
const SETTLED = 1e-12;
/** 0.85^200 is 8e-15, so the initial ranks have no effect after these rounds. */
const MOST_ROUNDS = 200;
/** With 2,000 links each, some 10 ms. */
const PAGES_A_TURN = 1_024;

/**
 * @param home pages that count as the home page; none: every depth is null
 * @returns the rank of each page, in order of its number
 */
export async function rankPages(
  graph: LinkGraph,
  home: readonly number[],
  giveTurn: GiveTurn,
): Promise<CrawlRank[]> {
  const pageranks = await pageRanks(graph, giveTurn);
  const depths = depthsFrom(graph, home);
  const inlinks = inlinksOf(graph);
  return Array.from(pageranks, (pagerank, page) => ({
    page,
    depth: depths[page]! < 0 ? null : depths[page]!,
    inlinks: inlinks[page]!,
    outlinks: graph.starts[page + 1]! - graph.starts[page]!,
    pagerank,
  }));
}

/** 1 is the highest. */
async function pageRanks({ pages, starts, targets, kinds }: LinkGraph, giveTurn: GiveTurn) {
  const followed = new Uint32Array(pages);
  for (let page = 0; page < pages; page += 1)
    for (let at = starts[page]!; at < starts[page + 1]!; at += 1)
      if (kinds[at] !== NOFOLLOW) followed[page]! += 1;
  let ranks = new Float64Array(pages).fill(1 / pages);
  let next = new Float64Array(pages);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let dangling = 0;
    for (let page = 0; page < pages; page += 1) if (followed[page] === 0) dangling += ranks[page]!;
    next.fill((1 - DAMPING + DAMPING * dangling) / pages);
    for (let page = 0; page < pages; page += 1) {
      if (page % PAGES_A_TURN === 0) await giveTurn();
      if (followed[page] === 0) continue;
      const share = (DAMPING * ranks[page]!) / followed[page]!;
      for (let at = starts[page]!; at < starts[page + 1]!; at += 1)
        if (kinds[at] !== NOFOLLOW) next[targets[at]!]! += share;
    }
    let change = 0;
    for (let page = 0; page < pages; page += 1) change += Math.abs(next[page]! - ranks[page]!);
    [ranks, next] = [next, ranks];
    if (change < SETTLED) break;
  }
  const highest = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  return ranks.map((rank) => rank / highest);
}

/** Clicks from home, breadth first; -1: unreachable. The target of a redirect has the depth of the redirect, which adds no click. */
function depthsFrom({ pages, starts, targets, kinds }: LinkGraph, home: readonly number[]): Int32Array {
  const depths = new Int32Array(pages).fill(-1);
  let level = [...home];
  for (let depth = 0; level.length > 0; depth += 1) {
    const deeper = new Set<number>();
    for (let page = level.pop(); page !== undefined; page = level.pop()) {
      if (depths[page] !== -1) continue;
      depths[page] = depth;
      for (let at = starts[page]!; at < starts[page + 1]!; at += 1) {
        const target = targets[at]!;
        if (kinds[at] === REDIRECT) level.push(target);
        else if (depths[target] === -1) deeper.add(target);
      }
    }
    level = [...deeper].filter((page) => depths[page] === -1);
  }
  return depths;
}

function inlinksOf({ pages, targets }: LinkGraph): Uint32Array {
  const inlinks = new Uint32Array(pages);
  for (const target of targets) inlinks[target]! += 1;
  return inlinks;
}
