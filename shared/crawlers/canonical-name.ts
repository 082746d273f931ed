import type { CrawlerTable } from './load-table.js';

/** A function from the name of a crawler of the table, in whatever case, to the name that reads show; null for others. */
export function createCanonicalName(table: CrawlerTable): (name: string) => string | null {
  const names = [...table.crawlers, ...table.families, ...table.exact].map(({ name }) => name);
  const canonical = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (name) => canonical.get(name.toLowerCase()) ?? null;
}

/** A function from the name that requests claim to whether it is a search engine's crawler. */
export function createIsSearchCrawler({ crawlers, exact }: CrawlerTable): (name: string) => boolean {
  const names = new Set(
    [...crawlers, ...exact].filter(({ category }) => category === 'search').map(({ name }) => name),
  );
  return (name) => names.has(name);
}
