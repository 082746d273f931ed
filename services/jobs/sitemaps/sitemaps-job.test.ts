import pino from 'pino';
import { expect, test } from 'vitest';
import { givenFiles } from '../../../deploy/admin/server/given-files.js';
import type { ClickHouse, InsertOptions } from '../../../shared/store/client.js';
import type { JobWebsite } from '../runner/website-job.js';
import { sitemapsJob } from './sitemaps-job.js';

const website: JobWebsite = { id: 'web_1', domain: 'example.com', organisationId: 'org', createdAt: '' };
const urls = ['a', 'b', 'c'].map((name) => `<url><loc>https://example.com/${name}</loc></url>`);
const sitemap = Buffer.from(`<urlset>${urls.join('')}</urlset>`);
const robots = 'Sitemap: https://example.com/sitemap.xml';

/** The stored rows of three listed URLs with a plan's limit. */
async function stored(listedUrls: number) {
  const inserts: InsertOptions[] = [];
  const clickhouse = {
    read: async () => [{ outcome: 'found', content: robots }],
    insert: async (options: InsertOptions) => void inserts.push(options),
  } as unknown as ClickHouse;
  await sitemapsJob.run(website, {
    ...{ clickhouse, fetch: givenFiles(new Map([['/sitemap.xml', sitemap]])), now: () => 0 },
    ...{
      logger: pino({ level: 'silent' }),
      requested: false,
      details: '',
      signal: new AbortController().signal,
    },
    planOf: () => ({ listedUrls, hourlyApiLimit: 100 }),
  });
  const rowsOf = (table: string) =>
    inserts
      .filter((one) => one.table === table)
      .flatMap(({ rows }) => rows.toString().trim().split('\n'))
      .map((row) => JSON.parse(row));
  return { paths: rowsOf('sitemap_urls').map(({ path }) => path), fetches: rowsOf('sitemap_fetches') };
}

test('the plan limits the number of URLs from sitemaps, and more of them make the fetch incomplete', async () => {
  const within = await stored(3);
  expect(within.paths).toEqual(['/a', '/b', '/c']);
  expect(within.fetches).toMatchObject([{ complete: true, reason: '' }]);
  const beyond = await stored(2);
  expect(beyond.paths).toEqual(['/a', '/b']);
  expect(beyond.fetches).toMatchObject([{ complete: false, reason: 'too_many_urls' }]);
});
