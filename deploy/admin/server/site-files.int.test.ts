import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { DAY_MS } from '../../../shared/durations.js';
import { FetchError } from '../../../shared/fetch/fetch-error.js';
import { robots } from '../../../shared/reads/robots/robots.js';
import { readRobotsFetches, readRobotsVersions } from '../../../shared/reads/robots/robots-sql.js';
import { readMembership, readSitemapState } from '../../../shared/reads/sitemaps/sitemaps-sql.js';
import { refreshRobots } from '../../../shared/site-files/refresh-robots.js';
import { refreshSitemaps } from '../../../shared/site-files/refresh-sitemaps.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import { givenFiles } from './given-files.js';
import { createSiteFiles, type SiteFiles } from './site-files.js';
import { FETCHES_KEPT_DAYS } from './stored-fetches.js';

/** Compares files stored by the operator with fetches of the same files, on an engine. */

const NOW = Date.UTC(2026, 10, 21, 12);
const DOMAIN = 'shop.example';
const ROBOTS = 'User-agent: *\nDisallow: /cart\nSitemap: https://shop.example/sitemap.xml\n';

let engine: TestClickHouse;
let control: ControlPlane;
let organisationId: string;
let store: SiteFiles;

beforeAll(async () => {
  engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  ({ control } = await openTestPlane({ now: () => NOW }));
  const organisation = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  );
  organisationId = organisation.id;
  store = createSiteFiles({ control, clickhouse: engine.clickhouse, now: () => NOW });
});
afterAll(() => engine?.stop());

/** Each test has a new website, so tests are independent. */
let websites = 0;
async function website(): Promise<string> {
  const domain = `shop-${++websites}.example`;
  const made = granted(
    await control.execute(
      { type: 'createWebsite', organisationId, domain, sourceType: 'cloudflare' },
      'admin',
    ),
  );
  return made.website.id;
}

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const iso = (at: number) => new Date(at).toISOString();
const pages = (...urls: string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

/** Fetches as the jobs service does. */
const fetching = (files: Record<string, string>, at: number) => ({
  fetch: givenFiles(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))),
  clickhouse: engine.clickhouse,
  now: () => at,
  signal: new AbortController().signal,
});
const failing = (at: number) => ({
  ...fetching({}, at),
  fetch: () => Promise.reject(new FetchError('dns', DOMAIN)),
});

describe('a robots.txt stored by the operator', () => {
  test('has the same version and hash as a fetch, at its own time', async () => {
    const [given, fetched] = [await website(), await website()];
    const at = NOW - 8 * DAY_MS;
    const answer = await store.storeRobots({
      websiteId: given,
      fetchedAt: iso(at),
      content: base64(ROBOTS),
    });
    const domain = control.state().websites.get(given)!.domain;
    await refreshRobots(fetching({ '/robots.txt': ROBOTS }, at), { id: fetched, domain });

    const stored = await readRobotsFetches(engine.clickhouse, given);
    expect(stored).toMatchObject([{ fetchedAt: at, outcome: 'found', httpStatus: 200, problem: '' }]);
    expect(stored).toEqual(await readRobotsFetches(engine.clickhouse, fetched));
    expect(answer).toEqual({ websiteId: given, fetchedAt: iso(at), hash: stored[0]!.hash });
    const versions = await readRobotsVersions(engine.clickhouse, given, [answer.hash]);
    expect(versions.get(answer.hash)).toMatchObject({ content: ROBOTS, isTruncated: false });
  });

  test('stays valid while later fetches fail', async () => {
    const websiteId = await website();
    const { hash } = await store.storeRobots({
      websiteId,
      fetchedAt: iso(NOW - 2 * DAY_MS),
      content: base64(ROBOTS),
    });
    await refreshRobots(failing(NOW - DAY_MS), { id: websiteId, domain: DOMAIN });
    const scope = { websiteId, window: { start: NOW - DAY_MS, end: NOW }, filters: {} };
    expect(
      await robots.read(engine.clickhouse, scope, { domain: DOMAIN, fetchesWebsites: true }),
    ).toMatchObject({
      status: 'unreachable',
      using_saved: true,
      current_hash: hash,
      raw_content: ROBOTS,
      judged_since: iso(NOW - DAY_MS),
    });
  });

  test('is refused at the time of another fetch, in the future, and for an unknown website', async () => {
    const websiteId = await website();
    const given = { websiteId, fetchedAt: null, content: base64(ROBOTS) };
    expect(await store.storeRobots(given)).toMatchObject({ fetchedAt: iso(NOW) });
    await expect(store.storeRobots({ ...given, content: base64('other') })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await readRobotsFetches(engine.clickhouse, websiteId)).toHaveLength(1);
    await expect(store.storeRobots({ ...given, fetchedAt: iso(NOW + 1) })).rejects.toThrow('future');
    await expect(store.storeRobots({ ...given, websiteId: 'web_none' })).rejects.toThrow('web_none');
  });
});

test('fetches are kept for the documented number of days', async () => {
  const tables = await engine.clickhouse.read({
    name: 'test.ttl',
    sql: `SELECT name, create_table_query AS made FROM system.tables
WHERE database = currentDatabase() AND name IN ('robots_fetches', 'sitemap_fetches') ORDER BY name`,
    params: {},
    row: z.object({ name: z.string(), made: z.string() }),
  });
  const days = tables.map(
    ({ made }) => /TTL toDateTime\(fetched_at\) \+ toIntervalDay\((\d+)\)/.exec(made)?.[1],
  );
  expect(days.map(Number)).toEqual([FETCHES_KEPT_DAYS.robots, FETCHES_KEPT_DAYS.sitemaps]);
});

describe('sitemaps stored by the operator', () => {
  test('list and remove pages as fetches do, and stay valid while fetches fail', async () => {
    const id = await website();
    const { domain } = control.state().websites.get(id)!;
    const index = `<sitemapindex><sitemap><loc>https://${domain}/1.xml.gz</loc></sitemap></sitemapindex>`;
    const listing = (...paths: string[]) => ({
      websiteId: id,
      files: [
        { name: 'sitemap.xml', content: base64(index) },
        {
          name: '1.xml.gz',
          content: base64(gzipSync(pages(...paths.map((path) => `https://${domain}${path}`)))),
        },
        { name: 'list.txt', content: base64(`https://${domain}/text\nhttps://elsewhere.example/\n`) },
      ],
    });
    const first = NOW - 3 * DAY_MS;
    expect(await store.storeSitemaps({ ...listing('/a', '/gone'), fetchedAt: iso(first) })).toEqual({
      websiteId: id,
      fetchedAt: iso(first),
      complete: true,
      reason: null,
      files: 3,
      failedFiles: 0,
      urls: 3,
      foreignUrls: 1,
      invalidUrls: 0,
      problems: [],
    });
    await store.storeSitemaps({ ...listing('/a'), fetchedAt: iso(NOW - 2 * DAY_MS) });
    const known = { fromRobots: [`https://${domain}/sitemap.xml`], maxUrls: 1_000 };
    await refreshSitemaps(failing(NOW - DAY_MS), { id, domain }, known);

    const state = await readSitemapState(engine.clickhouse, id);
    const membership = await readMembership(engine.clickhouse, id, ['/a', '/gone', '/text'], state);
    expect(membership.get('/a')).toMatchObject({ status: 'present', firstSeen: first, confirmed: false });
    expect(membership.get('/gone')).toMatchObject({ status: 'removed', removedAt: NOW - 2 * DAY_MS });
    expect(membership.get('/text')).toMatchObject({ status: 'present' });
    expect(state).toMatchObject({
      lastComplete: NOW - 2 * DAY_MS,
      complete: false,
      reason: 'files_failed',
    });
  });

  test('are incomplete if an index names a missing file', async () => {
    const websiteId = await website();
    const missing = `https://shop-${websites}.example/missing.xml`;
    const index = `<sitemapindex><sitemap><loc>${missing}</loc></sitemap></sitemapindex>`;
    const files = [{ name: 'sitemap.xml', content: base64(index) }];
    expect(await store.storeSitemaps({ websiteId, fetchedAt: null, files })).toMatchObject({
      complete: false,
      reason: 'files_failed',
      problems: [{ sitemap: missing, problem: 'http_404' }],
    });
    await expect(store.storeSitemaps({ websiteId, fetchedAt: null, files })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('are refused if two have the same name, or if they are too large', async () => {
    const websiteId = await website();
    const file = { name: 'sitemap.xml', content: base64(pages()) };
    await expect(store.storeSitemaps({ websiteId, fetchedAt: null, files: [file, file] })).rejects.toThrow(
      'two files have the name sitemap.xml',
    );
    const large = { name: 'large.xml', content: base64(Buffer.alloc(32 * 1024 ** 2 + 1)) };
    await expect(store.storeSitemaps({ websiteId, fetchedAt: null, files: [large] })).rejects.toThrow('gzip');
    expect(await readSitemapState(engine.clickhouse, websiteId)).toBeNull();
  });
});
