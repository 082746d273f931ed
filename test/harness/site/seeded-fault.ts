/**
 * The faults of the generated site's pages (generate-site.ts). `generateSite({ … }).faults` lists each fault
 * once for each page that has it, including faults that follow from others. For example, the first hop of a
 * linked chain of redirects is both `redirect_chains` and `links_to_redirects`. An audit of the site's crawl
 * finds exactly these faults, if its limits are between the values named here and those of sound pages.
 *
 * A sound page has status 200, at least 300 words in a unique order, at most 100 KB, and answers within some
 * milliseconds. It has a unique title of 20 to 50 characters, a unique description of 70 to 150, one h1 and
 * its own canonical. A page links to it, and the sitemap lists it.
 */
export interface SeededFault {
  readonly finding: SiteFinding;
  /** The full URL of the faulty page. */
  readonly url: string;
  /** The pages that link to it, if the links are the fault. */
  readonly linkedFrom?: readonly string[];
}

/** Keys of spec §4.6, with the page of `url`. */
export type SiteFinding =
  /** The linked page that answers 404 or 500. */
  | 'broken_links'
  /** The linked page that redirects. */
  | 'links_to_redirects'
  /** The first page of a chain of two or more redirects, or each page of a loop. */
  | 'redirect_chains'
  /**
   * The page whose canonical redirects, answers 404, is noindex, or names another canonical. A canonical to a
   * sound page is no fault.
   */
  | 'canonical_issues'
  /** The page with noindex, in meta or X-Robots-Tag. */
  | 'noindex_pages'
  /** The linked page that robots.txt disallows. */
  | 'robots_blocked'
  /** Each of the pages that share a title (description). */
  | 'duplicate_titles'
  | 'duplicate_descriptions'
  | 'missing_titles'
  | 'missing_descriptions'
  /** At least 120 characters. */
  | 'long_titles'
  | 'missing_h1'
  | 'multiple_h1'
  /** At most ten words in the body. */
  | 'thin_pages'
  /** The page whose alternate has no link back, or answers 404. */
  | 'hreflang_issues'
  /** Answered after `slowMs`, by default 1,500. */
  | 'slow_pages'
  /** 1.5 MB. */
  | 'large_pages'
  /**
   * The page in the sitemap that redirects, answers 404, is noindex, is disallowed, or has another canonical.
   */
  | 'sitemap_issues';
