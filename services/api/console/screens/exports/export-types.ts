import type { FilterName } from '../../address.js';

/** Filters of the console that a type of exports may apply. `verified`: its rows are requests of bots. */
export type ExportFilter = FilterName | 'countries' | 'path' | 'verified';

export interface ExportType {
  readonly name: string;
  readonly title: string;
  readonly filters: readonly ExportFilter[];
  /** false: the file has the current state, or the window is the type's own. */
  readonly hasWindow: boolean;
}

const usual: readonly ExportFilter[] = [
  'bot',
  'status',
  'status_category',
  'host',
  'file_type',
  'params_filter',
  'countries',
  'path',
];

const of = (name: string, title: string, filters = usual, hasWindow = true): ExportType => ({
  ...{ name, title, filters, hasWindow },
});

/** Types of createExport, by export-types.test.ts those of the API. `url-pattern-urls` needs a pattern, so it is asked for by API. */
export const exportTypes: readonly ExportType[] = [
  of('traffic', 'Traffic by hour'),
  of('paths', 'Paths'),
  of('status-codes', 'Status codes'),
  of('bots', 'Bots'),
  of('bot-history', 'Bots by day'),
  of('referrers', 'Referrers'),
  of('geography', 'Countries and cities'),
  of('devices', 'Browsers, operating systems and device types'),
  of('ips', 'Client addresses'),
  of('sitemap-coverage', 'Sitemap coverage', [], false),
  of('crawl-budget-urls', 'URLs that search crawlers fetched', [...usual, 'directory']),
  of('requests', 'Requests of bots', [...usual, 'verified']),
  of('seo-requests', 'Requests of search crawlers', [...usual, 'verified']),
  of('recommendations-paths-404', 'Pages not found', []),
  of('recommendations-slow-paths', 'Slow pages', []),
  of('recommendations-unverified-bots', 'Impostors of crawlers', []),
];
