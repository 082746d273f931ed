/** The crawl that rows belong to. */
export interface CrawlOf {
  readonly websiteId: string;
  readonly crawlId: string;
}

/** A page that a crawl knows, as in `crawl_pages`. Absent texts are empty. */
export interface CrawlPage {
  /** From 0, in the order in which pages became known. */
  readonly page: number;
  /** The complete URL. */
  readonly url: string;
  /** As in the logs: without the query. */
  readonly path: string;
  readonly foundBy: CrawlPageFoundBy;
  readonly inSitemap: boolean;
  /** 0: not requested, or no answer (then `error` has the reason). */
  readonly status: number;
  readonly error: string;
  readonly robotsAllowed: boolean;
  /** Target of one hop, as a complete URL; may be of another host. */
  readonly redirectTo: string;
  readonly contentType: string;
  /** Size of the inflated body, as far as it was read. */
  readonly bytes: number;
  /** Milliseconds until the head of the response. */
  readonly ms: number;
  readonly indexable: boolean;
  readonly unindexableReason: UnindexableReason | '';
  /** The complete URL. */
  readonly canonical: string;
  readonly metaRobots: string;
  readonly xRobotsTag: string;
  /** Title elements; `title` is the text of the first. */
  readonly titles: number;
  readonly title: string;
  readonly description: string;
  readonly h1s: number;
  readonly h1: string;
  readonly lang: string;
  readonly words: number;
  readonly hreflangs: readonly { readonly lang: string; readonly url: string }[];
  /** Distinct link targets of the page. */
  readonly linksInternal: number;
  readonly linksExternal: number;
  /** Digest of the words: pages with the same text have the same digest. */
  readonly digest: string;
  /** Milliseconds since the epoch; 0: it was not fetched. */
  readonly fetchedAt: number;
}

export type CrawlPageFoundBy = 'home' | 'seed' | 'sitemap' | 'link' | 'redirect' | 'upload';

export type UnindexableReason =
  | 'status'
  | 'redirect'
  | 'robots'
  | 'noindex'
  | 'canonical'
  | 'content_type'
  | 'not_fetched';

/** A link between pages that the crawl knows, by their numbers. */
export interface CrawlLink {
  readonly from: number;
  readonly to: number;
  readonly kind: 'a' | 'redirect' | 'canonical';
  readonly nofollow: boolean;
  readonly anchor: string;
}

/** Link figures of a page. */
export interface CrawlRank {
  readonly page: number;
  /** Links from the home page; null: unreachable from it. */
  readonly depth: number | null;
  /** Other pages that link to it, and other pages that it links to. */
  readonly inlinks: number;
  readonly outlinks: number;
  /** 0 to 1: the page with the highest rank has 1. */
  readonly pagerank: number;
}
