/** The crawl that rows belong to. */
export interface CrawlOf {
  readonly websiteId: string;
  readonly crawlId: string;
}

/** A page that a crawl knows, as `crawl_pages` has it. Texts are empty where there is none. */
export interface CrawlPage {
  /** From 0, in the order in which pages became known. */
  readonly page: number;
  /** In full. */
  readonly url: string;
  /** As logs have it: without the query. */
  readonly path: string;
  readonly foundBy: CrawlPageFoundBy;
  readonly inSitemap: boolean;
  /** 0: it was not asked, or gave no answer; then `error` says why. */
  readonly status: number;
  readonly error: string;
  readonly robotsAllowed: boolean;
  /** Of one hop, in full; also of another host. */
  readonly redirectTo: string;
  readonly contentType: string;
  /** Of the inflated body, as far as it was read. */
  readonly bytes: number;
  /** Milliseconds until the head of the answer. */
  readonly ms: number;
  readonly indexable: boolean;
  readonly unindexableReason: UnindexableReason | '';
  /** In full. */
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
  /** Links that the page has, each target once. */
  readonly linksInternal: number;
  readonly linksExternal: number;
  /** Of the words: pages with the same text have the same. */
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

/** What the links say of a page. */
export interface CrawlRank {
  readonly page: number;
  /** Links from the home page; null: none leads to it. */
  readonly depth: number | null;
  /** Other pages that link to it, and that it links to. */
  readonly inlinks: number;
  readonly outlinks: number;
  /** 0 to 1: the page that most is linked to has 1. */
  readonly pagerank: number;
}
