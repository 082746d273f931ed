/** Kinds of links: a followed link of a page, one marked nofollow, a redirect. */
export const FOLLOWED = 0;
export const NOFOLLOW = 1;
export const REDIRECT = 2;

/** Links between the pages of a crawl, each pair once, in typed arrays: 5 million links take 25 MB. No page links to itself. */
export interface LinkGraph {
  /** Pages have the numbers from 0 to this, exclusive. */
  readonly pages: number;
  /** One entry more than pages: the links of page n are at `starts[n]` to `starts[n + 1]`, exclusive. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** FOLLOWED, NOFOLLOW or REDIRECT for each target. */
  readonly kinds: Uint8Array;
}

export interface LinkGraphBuilder {
  /**
   * Adds the links of one page. Pages come in order of their numbers; pages without links may be skipped.
   * Links to the page itself and to unknown pages are ignored. If several links lead to one page, the first counts.
   * @param link returns the target and the kind of each of `count` links
   */
  add(from: number, count: number, link: (index: number) => { to: number; kind: number }): void;
  build(): LinkGraph;
}

const FIRST_CAPACITY = 65_536;

/** @param pages the number of pages */
export function createLinkGraphBuilder(pages: number): LinkGraphBuilder {
  const starts = new Uint32Array(pages + 1);
  let targets = new Uint32Array(FIRST_CAPACITY);
  let kinds = new Uint8Array(FIRST_CAPACITY);
  let links = 0;
  /** The page before which all starts are set. */
  let next = 0;
  /** For each page, the last page that linked to it, plus one. It detects repeats without a set. */
  const seen = new Uint32Array(pages);

  function put(to: number, kind: number): void {
    if (links === targets.length) {
      targets = grown(targets, new Uint32Array(links * 2));
      kinds = grown(kinds, new Uint8Array(links * 2));
    }
    targets[links] = to;
    kinds[links] = kind;
    links += 1;
  }

  return {
    add(from, count, link) {
      if (from < next || from >= pages) throw new RangeError(`page ${from} comes out of order`);
      for (; next <= from; next += 1) starts[next] = links;
      for (let index = 0; index < count; index += 1) {
        const { to, kind } = link(index);
        if (to === from || to >= pages || seen[to] === from + 1) continue;
        seen[to] = from + 1;
        put(to, kind);
      }
    },
    build() {
      for (; next <= pages; next += 1) starts[next] = links;
      return { pages, starts, targets: targets.subarray(0, links), kinds: kinds.subarray(0, links) };
    },
  };
}

function grown<Values extends Uint32Array | Uint8Array>(from: Values, to: Values): Values {
  to.set(from);
  return to;
}
