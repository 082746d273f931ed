/** The port to a search-performance source that a website may have connected: impressions and clicks in a search engine's results. */
export interface SearchPerformance {
  /**
   * The pages with most impressions in the last 28 days.
   * @param options `minImpressions`: pages with fewer are left out; `limit`: most pages.
   * @returns most impressions first; null: the website has no source connected.
   */
  pages(
    websiteId: string,
    options: { readonly minImpressions: number; readonly limit: number },
  ): Promise<readonly PagePerformance[] | null>;
}

/** A page in the source's results of the last 28 days. */
export interface PagePerformance {
  /** Path alone, percent-encoded, as logs have it. */
  readonly path: string;
  readonly impressions: number;
  readonly clicks: number;
  /** Mean place in the results, from 1. */
  readonly position: number;
}
