/** Pages of one crawl (spec §7). */
export const FEWEST_CRAWL_PAGES = 100;
export const MOST_CRAWL_PAGES = 50_000;
/** Pages of an upload, which cause no requests to a server. */
export const MOST_UPLOADED_PAGES = 200_000;
/** Default if neither the caller nor the website's settings give a number. */
export const DEFAULT_CRAWL_PAGES = 5_000;
