export interface ExportType {
  readonly name: string;
  readonly title: string;
}

/** Types of createExport with their titles, by export-types.test.ts those of the API. `url-pattern-urls` needs a pattern, so it is asked for by API. */
export const exportTypes: readonly ExportType[] = [
  { name: 'traffic', title: 'Traffic by hour' },
  { name: 'paths', title: 'Paths' },
  { name: 'status-codes', title: 'Status codes' },
  { name: 'bots', title: 'Bots' },
  { name: 'bot-history', title: 'Bots by day' },
  { name: 'referrers', title: 'Referrers' },
  { name: 'geography', title: 'Countries and cities' },
  { name: 'devices', title: 'Browsers, operating systems and device types' },
  { name: 'ips', title: 'Client addresses' },
  { name: 'sitemap-coverage', title: 'Sitemap coverage' },
  { name: 'crawl-budget-urls', title: 'URLs that search crawlers fetched' },
  { name: 'requests', title: 'Requests of bots' },
  { name: 'seo-requests', title: 'Requests of search crawlers' },
  { name: 'recommendations-paths-404', title: 'Pages not found' },
  { name: 'recommendations-slow-paths', title: 'Slow pages' },
  { name: 'recommendations-unverified-bots', title: 'Impostors of crawlers' },
];
