import type { CrawlerTable } from './load-table.js';

/** A function from the name of a crawler of the table, in whatever case, to the name that reads show; null for others. */
export function createCanonicalName(table: CrawlerTable): (name: string) => string | null {
  const names = [...table.crawlers, ...table.families].map(({ name }) => name);
  const canonical = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (name) => canonical.get(name.toLowerCase()) ?? null;
}

/**
 * A function from the name of a bot, in whatever case, to the family that alerts of it have as their subject. Of a bot that the table lacks: its name.
 */
export function createFamilyOf({ crawlers }: CrawlerTable): (name: string) => string {
  const families = new Map(crawlers.map(({ name, family }) => [name.toLowerCase(), family ?? name]));
  return (name) => families.get(name.toLowerCase()) ?? name;
}

/** A function from the name that requests claim to whether it is a search engine's crawler. */
export function createIsSearchCrawler({ crawlers }: CrawlerTable): (name: string) => boolean {
  const names = new Set(crawlers.filter(({ category }) => category === 'search').map(({ name }) => name));
  return (name) => names.has(name);
}
