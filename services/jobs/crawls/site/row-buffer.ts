import { SECOND_MS } from '../../../../shared/durations.js';
import type { CrawlLink, CrawlOf, CrawlPage } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouseWriter } from '../../../../shared/store/client.js';
import { writeCrawlLinks, writeCrawlPages } from '../rows/crawl-writes.js';

/** Buffers rows of a crawl for larger inserts. */
export interface CrawlRowBuffer {
  /** Adds a discovered page. */
  know(page: CrawlPage): void;
  /** Adds a visited page and its links. */
  add(page: CrawlPage, links: readonly CrawlLink[]): void;
  /** Writes when the buffer is large enough, or its first row has waited long enough. @returns whether it wrote. @throws as `ClickHouseWriter.insert` */
  flush(force?: boolean): Promise<boolean>;
}

const PAGES = 200;
const LINKS = 50_000;
/** In texts of pages. A page may have 400,000, and an insert takes several times as many bytes. */
const CHARACTERS = 4_000_000;
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** In one insert. */
const ROWS_AT_ONCE = 10_000;

/**
 * Writes discovered pages first, then links, then fetched pages. So an attempt that ends in between has stored no fetched page without its links, and
 * no link without its ends.
 */
export function createCrawlRowBuffer(
  writer: ClickHouseWriter,
  crawl: CrawlOf,
  now: () => number,
): CrawlRowBuffer {
  let known: CrawlPage[] = [];
  let links: CrawlLink[] = [];
  let fetched: CrawlPage[] = [];
  let characters = 0;
  let since = now();

  async function write(): Promise<void> {
    for (const part of partsOf(known)) await writeCrawlPages(writer, crawl, part);
    for (const part of partsOf(links)) await writeCrawlLinks(writer, crawl, part);
    for (const part of partsOf(fetched)) await writeCrawlPages(writer, crawl, part);
  }

  return {
    know(page) {
      known.push(page);
      characters += lengthOf(page);
    },
    add(page, more) {
      fetched.push(page);
      characters += lengthOf(page);
      for (const link of more) links.push(link);
    },
    async flush(force = false) {
      const isMuch = fetched.length >= PAGES || links.length >= LINKS || characters >= CHARACTERS;
      const isDue = isMuch || now() - since >= LONGEST_WAIT_MS;
      if (!force && !isDue) return false;
      since = now();
      if (known.length === 0 && fetched.length === 0) return false;
      await write();
      known = [];
      links = [];
      fetched = [];
      characters = 0;
      return true;
    },
  };
}

/** Characters of the texts that the website controls. */
function lengthOf({
  url,
  path,
  redirectTo,
  canonical,
  title,
  description,
  h1,
  hreflangs,
  ...page
}: CrawlPage): number {
  const { metaRobots, xRobotsTag } = page;
  const texts = [url, path, redirectTo, canonical, title, description, h1, metaRobots, xRobotsTag];
  const alternates = hreflangs.reduce(
    (sum, alternate) => sum + alternate.lang.length + alternate.url.length,
    0,
  );
  return texts.reduce((sum, text) => sum + text.length, alternates);
}

function* partsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE);
}
