import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.js';
import { readMembership, readSitemapState } from '../../../shared/reads/sitemaps/sitemaps-sql.js';
import { TEST_NOW } from '../../../test/harness/api.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import {
  BASE,
  index,
  own,
  pages,
  type SitemapWorld,
  startSitemapWorld,
} from '../../../test/harness/jobs/sitemap-world.js';
import type { JobWebsite } from '../runner/website-job.js';

/** The membership of pages in sitemaps, from a web server's files through the guarded fetcher and the store. */

let world: SitemapWorld;
let files: Map<string, string | Buffer | number>;

beforeAll(async () => {
  world = await startSitemapWorld();
});
afterAll(() => world?.stop());
beforeEach(() => {
  files = new Map();
});

async function fetchSitemaps(website: JobWebsite, now: number): Promise<void> {
  world.serve(files);
  await world.fetchSitemaps(website, now);
}

const standing = async (id: string, path: string) => {
  const state = await readSitemapState(world.clickhouse, id);
  return (await readMembership(world.clickhouse, id, [path], state)).get(path)!;
};

describe('membership', () => {
  const FIRST = TEST_NOW - 10 * DAY_MS;
  const SECOND = FIRST + DAY_MS;
  const THIRD = SECOND + DAY_MS;
  const FOURTH = THIRD + DAY_MS;

  test('is unknown before the first fetch', async () => {
    expect(await standing('new', '/a')).toMatchObject({ status: 'unknown', confirmed: false });
  });

  test('a page is present, stays present after incomplete fetches, and is removed by a complete one', async () => {
    files = new Map<string, string | Buffer | number>([
      ['/robots.txt', `User-agent: *\nSitemap: ${BASE}/index.xml\n`],
      ['/index.xml', index('/1.xml.gz', '/2.xml')],
      ['/1.xml.gz', gzipSync(pages('/a', '/gone'))],
      ['/2.xml', pages('/b')],
    ]);
    await fetchSitemaps(own('site'), FIRST);
    expect(await standing('site', '/gone')).toEqual({
      status: 'present',
      confirmed: true,
      firstSeen: FIRST,
      lastSeen: FIRST,
      removedAt: null,
    });
    expect(await standing('site', '/other')).toMatchObject({ status: 'not_found', confirmed: true });

    // The page is missing in one file, and the other does not respond.
    files.set('/1.xml.gz', pages('/a', '/fresh')).set('/2.xml', 503);
    await fetchSitemaps(own('site'), SECOND);
    expect(await standing('site', '/gone')).toMatchObject({ status: 'present', confirmed: false });
    expect(await standing('site', '/b')).toMatchObject({ status: 'present', lastSeen: FIRST });
    expect(await standing('site', '/fresh')).toMatchObject({ status: 'present', firstSeen: SECOND });

    files.set('/2.xml', pages('/b'));
    await fetchSitemaps(own('site'), THIRD);
    expect(await standing('site', '/gone')).toEqual({
      status: 'removed',
      confirmed: true,
      firstSeen: FIRST,
      lastSeen: FIRST,
      removedAt: THIRD,
    });
    expect(await standing('site', '/b')).toMatchObject({
      status: 'present',
      firstSeen: FIRST,
      lastSeen: THIRD,
    });

    // It comes back.
    files.set('/2.xml', pages('/b', '/gone'));
    await fetchSitemaps(own('site'), FOURTH);
    expect(await standing('site', '/gone')).toMatchObject({
      status: 'present',
      firstSeen: FIRST,
      removedAt: null,
    });
  });

  test('a website whose sitemaps are missing keeps their pages', async () => {
    await fetchSitemaps(own('site'), FOURTH + DAY_MS);
    expect(await standing('site', '/a')).toMatchObject({ status: 'present', confirmed: false });
  });

  test('a fetch that is written again changes nothing', async () => {
    files = new Map([['/sitemap.xml', pages('/a')]]);
    await fetchSitemaps(own('twice'), FIRST);
    const before = await standing('twice', '/a');
    await fetchSitemaps(own('twice'), FIRST);
    expect(await standing('twice', '/a')).toEqual(before);
  });
});

test('a path is removed two months after it was last listed, and without fetches the membership is unknown', async () => {
  const [long, lately] = [Date.now() - 62 * DAY_MS, Date.now() - DAY_MS];
  files = new Map([['/sitemap.xml', pages('/a', '/gone')]]);
  await fetchSitemaps(own('fetched'), long);
  await fetchSitemaps(own('left'), long);
  files = new Map([['/sitemap.xml', pages('/a')]]);
  await fetchSitemaps(own('fetched'), lately);
  await expireSitemaps(world.clickhouse, 'START');
  for (const table of ['sitemap_fetches', 'sitemap_urls'])
    await world.clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await standing('left', '/a')).toMatchObject({ status: 'unknown' });
  expect(await standing('fetched', '/gone')).toMatchObject({ status: 'not_found' });
  expect(await standing('fetched', '/a')).toMatchObject({ status: 'present' });
  await expireSitemaps(world.clickhouse, 'STOP');
});
