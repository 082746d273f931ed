import { type CrawledPage, crawledPages } from './crawled-pages.js';
import type { DemoOptions } from './demo-traffic.js';

/** A crawl of the shop in the export format of another crawler (docs/crawls-and-checks.md, "Uploads"). */

export interface CrawlFiles {
  /** CSV of pages. */
  pages: string;
  /** CSV of the links between them. */
  links: string;
}

type Column = readonly [
  name: string,
  (page: CrawledPage, url: (target: string) => string) => string | number,
];

const columns: readonly Column[] = [
  ['Address', ({ target }, url) => url(target)],
  ['Content Type', ({ contentType, status }) => (status === 0 ? '' : contentType)],
  ['Status Code', ({ status }) => status],
  ['Indexability Status', ({ status }) => (status === 0 ? 'Blocked by robots.txt' : '')],
  ['Title 1', ({ title }) => title],
  ['Meta Description 1', ({ description }) => description],
  ['H1-1', ({ h1 }) => h1],
  ['H1-2', ({ secondH1 }) => secondH1],
  ['Meta Robots 1', ({ metaRobots }) => metaRobots],
  ['Canonical Link Element 1', ({ canonical }, url) => url(canonical)],
  ['Redirect URL', ({ redirectTo }, url) => url(redirectTo)],
  ['Size (Bytes)', ({ bytes }) => bytes],
  ['Word Count', ({ words }) => words],
  ['Response Time', ({ ms }) => (ms / 1_000).toFixed(3)],
  ['In Sitemap', ({ inSitemap }) => String(inSitemap)],
];

export function crawlOfShop(demo: DemoOptions): CrawlFiles {
  const pages = crawledPages(demo);
  const url = (target: string) => (target === '' ? '' : `https://${demo.domain}${target}`);
  const links = pages.flatMap(({ target, links }) =>
    [...new Set(links)]
      .filter((to) => to !== target)
      .map((to) => ['Hyperlink', url(target), url(to), '', 'true']),
  );
  return {
    pages: csv([
      columns.map(([name]) => name),
      ...pages.map((page) => columns.map(([, of]) => of(page, url))),
    ]),
    links: csv([['Type', 'Source', 'Destination', 'Anchor', 'Follow'], ...links]),
  };
}

function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}
