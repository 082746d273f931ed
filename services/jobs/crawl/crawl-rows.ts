import { SECOND_MS } from '../../../shared/durations.js';
import type { CrawlLink, CrawlOf, CrawlPage } from '../../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouseWriter } from '../../../shared/store/client.js';
import { writeCrawlLinks, writeCrawlPages } from '../crawl-rows/crawl-writes.js';

/** Rows of a crawl, gathered until there are enough to be written. */
export interface CrawlRows {
  /** Pages that became known. */
  know(pages: readonly CrawlPage[]): void;
  /** A page that was dealt with, and what it leads to. */
  add(page: CrawlPage, links: readonly CrawlLink[]): void;
  /** Writes when there are enough, or the first has waited long enough. @returns whether it did. @throws as `ClickHouseWriter.insert` */
  flush(force?: boolean): Promise<boolean>;
}

const PAGES = 200;
const LINKS = 50_000;
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** Of one insert. */
const ROWS_AT_ONCE = 10_000;

/**
 * Writes what became known first, then links, then what was fetched: an attempt that ends in between has stored no page as fetched whose links are
 * missing, and no link whose ends are.
 */
export function createCrawlRows(writer: ClickHouseWriter, crawl: CrawlOf, now: () => number): CrawlRows {
  let known: CrawlPage[] = [];
  let links: CrawlLink[] = [];
  let fetched: CrawlPage[] = [];
  let since = now();

  async function write(): Promise<void> {
    for (const part of partsOf(known)) await writeCrawlPages(writer, crawl, part);
    for (const part of partsOf(links)) await writeCrawlLinks(writer, crawl, part);
    for (const part of partsOf(fetched)) await writeCrawlPages(writer, crawl, part);
  }

  return {
    know: (pages) => void known.push(...pages),
    add(page, more) {
      fetched.push(page);
      for (const link of more) links.push(link);
    },
    async flush(force = false) {
      const isDue = fetched.length >= PAGES || links.length >= LINKS || now() - since >= LONGEST_WAIT_MS;
      if (!force && !isDue) return false;
      since = now();
      if (known.length === 0 && fetched.length === 0) return false;
      await write();
      known = [];
      links = [];
      fetched = [];
      return true;
    },
  };
}

function* partsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE);
}
