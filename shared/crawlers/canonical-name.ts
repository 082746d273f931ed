import type { CrawlerTable } from './load-table.js';

/** A function from the name of a crawler of the table, in whatever case, to the name that reads show; null for others. */
export function createCanonicalName(table: CrawlerTable): (name: string) => string | null {
  const names = [...table.crawlers, ...table.families, ...table.exact].map(({ name }) => name);
  const canonical = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (name) => canonical.get(name.toLowerCase()) ?? null;
}
