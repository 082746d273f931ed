/** For blocks that need a crawl where there is none. */
export const NO_CRAWL =
  'No crawl is ready yet. Start one under “Runs”, or upload the files of another crawler.';
