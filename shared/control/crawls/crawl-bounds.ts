/** Pages of one crawl (spec §7). */
export const FEWEST_CRAWL_PAGES = 100;
export const MOST_CRAWL_PAGES = 50_000;
/** Pages of an upload, which nobody's server is asked for. */
export const MOST_UPLOADED_PAGES = 200_000;
/** Where neither the caller nor the website's settings say how many. */
export const DEFAULT_CRAWL_PAGES = 5_000;
