import type { ClickHouseReader } from '../clickhouse/client.js';

/** Whether the sitemaps of a website list a path, as far as they have been read. Instants are milliseconds since the epoch. */
export interface SitemapMembership {
  /** unknown: no sitemap of the website has been read. */
  readonly status: 'present' | 'removed' | 'not_found' | 'unknown';
  /** false: the last fetch was not complete, and the path may be listed in what it lacks. */
  readonly confirmed: boolean;
  readonly removedAt: number | null;
  readonly lastSeen: number | null;
}

/** How the sitemaps were last read. */
export interface SitemapSnapshot {
  /** null: never read. */
  readonly fetchComplete: boolean | null;
  readonly lastSuccessfulFetchAt: number | null;
  readonly lastCheckedAt: number | null;
  /** URLs that are listed; null: never read. */
  readonly urls: number | null;
}

const unknownMembership: SitemapMembership = {
  status: 'unknown',
  confirmed: false,
  removedAt: null,
  lastSeen: null,
};
const noSnapshot: SitemapSnapshot = {
  fetchComplete: null,
  lastSuccessfulFetchAt: null,
  lastCheckedAt: null,
  urls: null,
};

export interface SitemapStanding {
  readonly snapshot: SitemapSnapshot;
  of(path: string): SitemapMembership;
}

/** What the sitemaps of a website say of these paths. No sitemap is read yet: every path is unknown. */
export async function readSitemapMembership(
  _reader: ClickHouseReader,
  _websiteId: string,
  _paths: readonly string[],
): Promise<SitemapStanding> {
  return { snapshot: noSnapshot, of: () => unknownMembership };
}
