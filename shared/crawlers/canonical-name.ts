import type { CrawlerTable } from './load-table.js';

/** A function from a crawler's name in whatever case to the name that reads show; others come back as they are. */
export function createCanonicalName(table: CrawlerTable): (name: string) => string {
  const names = [...table.crawlers, ...table.families, ...table.exact].map(({ name }) => name);
  const canonical = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (name) => canonical.get(name.toLowerCase()) ?? name;
}
