import type { CrawlerTable } from './load-table.js';

/**
 * @returns a function from a crawler's name, in any case, to the name in reads; null for names that are not in the
 * table.
 */
export function createCanonicalName(table: CrawlerTable): (name: string) => string | null {
  const names = [...table.crawlers, ...table.families].map(({ name }) => name);
  const canonical = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (name) => canonical.get(name.toLowerCase()) ?? null;
}

/**
 * @returns a function from a bot's name, in any case, to the family that is the subject of its alerts. For a bot that
 * is not in the table: its name.
 */
export function createFamilyOf({ crawlers }: CrawlerTable): (name: string) => string {
  const families = new Map(crawlers.map(({ name, family }) => [name.toLowerCase(), family ?? name]));
  return (name) => families.get(name.toLowerCase()) ?? name;
}

/** @returns a function that checks whether a claimed name is a search engine's crawler. */
export function createIsSearchCrawler({ crawlers }: CrawlerTable): (name: string) => boolean {
  const names = new Set(crawlers.filter(({ category }) => category === 'search').map(({ name }) => name));
  return (name) => names.has(name);
}

/** @returns a function that checks whether the operator publishes the addresses of a family's crawlers. */
export function createPublishesRanges({ families }: CrawlerTable): (family: string) => boolean {
  const publishing = new Set(families.filter(({ feeds }) => feeds !== undefined).map(({ name }) => name));
  return (family) => publishing.has(family);
}
