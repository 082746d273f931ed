/**
 * What is wrong with the pages of the generated site (generate-site.ts). `generateSite({ … }).faults` lists each fault once for each page that has it, faults that follow
 * from others among them: the first hop of a chain of redirects that a page links to is both `redirect_chains` and `links_to_redirects`. An audit of the site's
 * crawl finds these and no other, wherever its limits are those named here or between them and what sound pages have.
 *
 * A sound page: status 200, 300 words and more that no other page has in this order, at most 100 KB, answered within some milliseconds, a title of 20 to 50
 * characters and a description of 70 to 150 that no other page has, one h1, its own canonical, linked by a page, listed in the sitemap.
 */
export interface SeededFault {
  readonly finding: SiteFinding;
  /** In full: the page that is at fault. */
  readonly url: string;
  /** Pages that link to it, where the fault is that they do. */
  readonly linkedFrom?: readonly string[];
}

/** Keys of spec §4.6, with the page that `url` is. */
export type SiteFinding =
  /** The page that answers 404 or 500 and is linked. */
  | 'broken_links'
  /** The page that redirects and is linked. */
  | 'links_to_redirects'
  /** The first page of a chain of two redirects and more, or each page of a loop. */
  | 'redirect_chains'
  /** The page whose canonical is one that redirects, answers 404, is noindex, or names another one. A canonical to a sound page is no fault. */
  | 'canonical_issues'
  /** The page that says noindex, by meta or by X-Robots-Tag. */
  | 'noindex_pages'
  /** The linked page that robots.txt disallows. */
  | 'robots_blocked'
  /** Each of the pages that share a title (description). */
  | 'duplicate_titles'
  | 'duplicate_descriptions'
  | 'missing_titles'
  | 'missing_descriptions'
  /** 120 characters and more. */
  | 'long_titles'
  | 'missing_h1'
  | 'multiple_h1'
  /** Ten words at most in the body. */
  | 'thin_pages'
  /** The page whose alternate doesn't link back to it, or is one that answers 404. */
  | 'hreflang_issues'
  /** Answered after `slowMs`, by default 1,500. */
  | 'slow_pages'
  /** 1.5 MB. */
  | 'large_pages'
  /** The page in the sitemap that redirects, answers 404, is noindex, is disallowed, or has another one as its canonical. */
  | 'sitemap_issues';
