import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getSitemap } from '../../services/api/operations/seo/get-sitemap.js';
import { DAY_MS, HOUR_MS } from '../../shared/durations.js';
import { exportTypes } from '../../shared/reads/exports/all-export-types.js';
import type { ComposeDeps } from '../../shared/reads/exports/export-type.js';
import { exportQuestion, scopeOf } from '../../shared/reads/exports/question.js';
import { renderExport } from '../../shared/reads/exports/render.js';
import { coverageStatuses } from '../../shared/reads/sitemaps/sitemap-coverage-sql.js';
import { insertSitemapFetch, insertSitemapUrls } from '../../shared/reads/sitemaps/sitemap-writes.js';
import { startTestClickHouse } from '../harness/clickhouse.js';
import { expireSitemaps } from '../harness/expiry.js';
import { googlebot, insertStored, storedRequest } from '../harness/stored-requests.js';
import { type TruthWorld, truthWorldOf } from './truth-world.js';

/** Compares the file of sitemap coverage with /seo/sitemap: each status, every row and every column. */

const NOW = Date.UTC(2026, 10, 3, 14, 37);
const DOMAIN = 'www.example.com';
const PAGES = 1_200;

let world: TruthWorld;
beforeAll(async () => {
  const engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  world = truthWorldOf(engine, { requests: {}, verdicts: [], now: NOW, domain: DOMAIN });
  for (const websiteId of ['shop', 'part']) await crawl(websiteId);
  const [early, late] = [Date.now() - 2 * HOUR_MS, Date.now() - HOUR_MS];
  await fetchSitemaps('shop', early, 0, PAGES);
  // The first hundred are no longer listed.
  await fetchSitemaps('shop', late, 100, PAGES);
  await fetchSitemaps('part', late, 0, 40, false);
});
afterAll(() => world?.stop());

/** Half as many pages again as are listed; every third is never fetched, others up to 95 days ago. */
async function crawl(websiteId: string): Promise<void> {
  const bing = { bot_name: 'bingbot', bot_family: 'Bing' };
  const rows = Array.from({ length: PAGES * 1.5 }, (_, n) => n)
    .filter((n) => n % 3 !== 0)
    .flatMap((n) => {
      const given = {
        path: `/p/${n}`,
        timestamp: NOW - (n % 95) * DAY_MS - n,
        status: [200, 200, 304, 404, 301][n % 5]!,
        file_type: n % 7 === 0 ? 'png' : 'html',
      };
      const again = { ...given, ...bing, timestamp: given.timestamp - HOUR_MS };
      return n % 4 === 0 ? [given, again] : [given];
    });
  await insertStored(
    world.clickhouse,
    rows.map((row, log_index) => storedRequest({ ...googlebot, website_id: websiteId, log_index, ...row })),
    { deduplicationToken: websiteId, retentionDays: 25_000 },
  );
}

async function fetchSitemaps(
  websiteId: string,
  fetchedAt: number,
  from: number,
  below: number,
  complete = true,
): Promise<void> {
  const urls = Array.from({ length: below - from }, (_, n) => from + n).map((n) => ({
    path: `/p/${n}`,
    query: n % 11 === 0 ? 'page=2' : '',
    url: `https://${DOMAIN}/p/${n}${n % 11 === 0 ? '?page=2' : ''}`,
    sitemap: `https://${DOMAIN}/sitemap-${n % 2}.xml`,
    lastmod: n % 2 === 0 ? null : NOW - n * HOUR_MS,
  }));
  const fetch = { websiteId, fetchedAt };
  await insertSitemapUrls(world.clickhouse, fetch, urls, 0);
  const counts = {
    ...{ files: 2, failedFiles: complete ? 0 : 1, urls: urls.length },
    ...{ foreignUrls: 0, invalidUrls: 0, problems: [] },
  };
  const walk = { complete, reason: complete ? null : ('files_failed' as const), ...counts };
  await insertSitemapFetch(world.clickhouse, fetch, walk, fetchedAt + 1);
}

type Row = Record<string, unknown>;
const type = exportTypes.find(({ name }) => name === 'sitemap-coverage')!;

async function exported(websiteId: string, filter: string | undefined): Promise<Row[]> {
  const question = exportQuestion.parse({ start: NOW - DAY_MS, end: NOW, filter });
  const deps = { clickhouse: world.clickhouse, domain: DOMAIN, now: NOW } as unknown as ComposeDeps;
  const composition = await type.compose(deps, scopeOf(websiteId, question), question);
  const { bytes } = await world.clickhouse.readFile({
    ...renderExport(type.columns, composition, 'ndjson'),
    name: 'test.export',
    compression: 'none',
    timeoutMs: 60_000,
  });
  const lines = String(await buffer(bytes)).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

/** Every page of the read, with the columns of the file; a missing text is an empty one. */
async function read(websiteId: string, status: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const input = getSitemap.query.parse({ status, page: String(page), page_size: '500' });
    const answer = await getSitemap.run(input as never, world.contextOf(websiteId) as never);
    const { urls, total_pages } = answer as { urls: Row[] | null; total_pages: number | null };
    rows.push(
      ...(urls ?? []).map((row) =>
        Object.fromEntries(
          type.columns.map(({ name }) => [name, name === 'sitemap' ? (row[name] ?? '') : row[name]]),
        ),
      ),
    );
    if (page >= (total_pages ?? 0)) return rows;
  }
}

test.each(coverageStatuses)('the file of %s has exactly the rows of the read', async (status) => {
  const expected = await read('shop', status);
  expect(expected.length).toBeGreaterThan(50);
  expect(await exported('shop', status)).toEqual(expected);
});

test('without a filter it has every listed page', async () => {
  const found = await exported('shop', undefined);
  expect(found).toHaveLength(PAGES - 100);
  expect(found).toEqual(await read('shop', 'all'));
});

test('like the read, the file has no pages outside of sitemaps before one was read completely', async () => {
  expect(await read('part', 'not_in_sitemap')).toEqual([]);
  expect(await exported('part', 'not_in_sitemap')).toEqual([]);
  const all = await exported('part', 'all');
  expect(all).toHaveLength(40);
  expect(all).toEqual(await read('part', 'all'));
});
