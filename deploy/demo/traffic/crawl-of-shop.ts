import { type CrawledPage, crawledPages } from './crawled-pages.js';
import type { DemoOptions } from './demo-traffic.js';

/** A crawl of the shop as another crawler exports it (docs/crawl.md, "Uploads"). */

export interface CrawlFiles {
  /** CSV of pages, in lines. */
  pages: Iterable<string>;
  /** CSV of the links between them. */
  links: Iterable<string>;
}

type Column = readonly [
  name: string,
  (page: CrawledPage, url: (target: string) => string) => string | number,
];

const columns: readonly Column[] = [
  ['Address', ({ target }, url) => url(target)],
  ['Content Type', ({ contentType, status }) => (status === 0 ? '' : contentType)],
  ['Status Code', ({ status }) => status],
  ['Indexability', (page) => (isIndexable(page) ? 'Indexable' : 'Non-Indexable')],
  ['Indexability Status', ({ status }) => (status === 0 ? 'Blocked by robots.txt' : '')],
  ['Title 1', ({ title }) => title],
  ['Meta Description 1', ({ description }) => description],
  ['H1-1', ({ h1 }) => h1],
  ['H1-2', ({ secondH1 }) => secondH1],
  ['Meta Robots 1', ({ metaRobots }) => metaRobots],
  ['Canonical Link Element 1', ({ canonical }, url) => (canonical === '' ? '' : url(canonical))],
  ['Redirect URL', ({ redirectTo }, url) => (redirectTo === '' ? '' : url(redirectTo))],
  ['Size (Bytes)', ({ bytes }) => bytes],
  ['Word Count', ({ words }) => words],
  ['Response Time', ({ ms }) => (ms / 1_000).toFixed(3)],
  ['In Sitemap', ({ inSitemap }) => String(inSitemap)],
];

export function crawlOfShop(demo: DemoOptions): CrawlFiles {
  const pages = crawledPages(demo);
  const url = (target: string) => `https://${demo.domain}${target}`;
  return { pages: pageLines(pages, url), links: linkLines(pages, url) };
}

function* pageLines(pages: readonly CrawledPage[], url: (target: string) => string): Generator<string> {
  yield line(columns.map(([name]) => name));
  for (const page of pages) yield line(columns.map(([, of]) => of(page, url)));
}

function* linkLines(pages: readonly CrawledPage[], url: (target: string) => string): Generator<string> {
  yield line(['Type', 'Source', 'Destination', 'Anchor', 'Follow']);
  for (const { target, links } of pages)
    for (const to of new Set(links))
      if (to !== target) yield line(['Hyperlink', url(target), url(to), '', 'true']);
}

function isIndexable({ status, metaRobots, canonical, target }: CrawledPage): boolean {
  return status === 200 && !metaRobots.includes('noindex') && canonical === target;
}

function line(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')}\n`;
}
