import { beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createSiteFiles, type SiteFiles } from './site-files.js';

const NOW = Date.UTC(2026, 10, 21, 12);

let files: SiteFiles;
let websiteId: string;
beforeAll(async () => {
  const { control } = await openTestPlane({ now: () => NOW });
  const organisation = await control.execute(
    { type: 'createOrganisation', name: 'Shop', planId: 'basic' },
    'admin',
  );
  const { id: organisationId } = granted(organisation);
  const made = await control.execute(
    { type: 'createWebsite', organisationId, domain: 'shop.example' },
    'admin',
  );
  websiteId = granted(made).website.id;
  const untouched = { read: () => Promise.reject(new Error('the store was queried')) };
  files = createSiteFiles({ control, clickhouse: untouched as unknown as ClickHouse, now: () => NOW });
});

const iso = (daysBack: number) => new Date(NOW - daysBack * DAY_MS).toISOString();

test('a time that the store would drop at once is refused, and the error names the limit', async () => {
  const robots = { websiteId, content: '' };
  const sitemaps = { websiteId, files: [{ name: 'sitemap.xml', content: '' }] };
  await expect(files.storeRobots({ ...robots, fetchedAt: iso(800) })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'fetchedAt: is more than 800 days ago, and a fetch of a robots.txt is kept for 800 days',
  });
  await expect(files.storeSitemaps({ ...sitemaps, fetchedAt: iso(60) })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'fetchedAt: is more than 60 days ago, and a fetch of sitemaps is kept for 60 days',
  });
  await expect(files.storeRobots({ ...robots, fetchedAt: iso(799) })).rejects.toThrow(
    'the store was queried',
  );
  await expect(files.storeSitemaps({ ...sitemaps, fetchedAt: iso(59) })).rejects.toThrow(
    'the store was queried',
  );
});
