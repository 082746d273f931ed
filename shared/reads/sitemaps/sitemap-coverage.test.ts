import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../store/client.js';
import { sitemapCoverage } from './sitemap-coverage.js';

const now = Date.UTC(2026, 10, 21);
const input = {
  domain: 'example.com',
  status: 'all',
  sort: 'path',
  descending: false,
  page: 1,
  page_size: 10,
} as const;

/** A number of fetches that read no sitemap. */
const fetched = (fetches: number, reason: string): ClickHouseReader =>
  ({
    read: async () => [
      {
        ...{
          fetches,
          anyRead: false,
          lastChecked: now - 1,
          lastComplete: null,
          complete: false,
          reason,
        },
        ...{ files: 0, failedFiles: 1, foreignUrls: 0, invalidUrls: 0, problems: [] },
      },
    ],
  }) as unknown as ClickHouseReader;

test.each([
  [0, '', true, 'not_fetched_yet'],
  [0, '', false, 'fetching_is_off'],
  [1, 'files_failed', true, 'not_read_yet'],
  [1, 'files_failed', false, 'not_read_yet'],
  [1, 'no_sitemap', false, 'no_sitemap'],
])(
  'after %i fetches that ended with "%s", fetching %s: %s',
  async (fetches, reason, fetchesWebsites, shown) => {
    const asked = { websiteId: 'shop', now };
    const answer = await sitemapCoverage.read(fetched(fetches, reason), asked, { ...input, fetchesWebsites });
    expect(answer).toMatchObject({
      available: false,
      reason: shown,
      urls: null,
      total: null,
      total_pages: null,
    });
  },
);
