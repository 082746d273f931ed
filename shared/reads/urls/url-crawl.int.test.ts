import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  writeCrawlLinks,
  writeCrawlPages,
  writeCrawlRanks,
} from '../../../services/jobs/crawls/rows/crawl-writes.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { crawlPageOf } from '../../../test/harness/crawl-pages.js';
import { readTogether } from '../sql/read-together.js';
import { crawledPage, readUrlCrawl } from './url-crawl.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const crawl = { id: 'c1', websiteId: 'w1', completedAt: '2026-11-21T12:00:00.000Z' };
const head = { available: true, reason: null, crawl_id: 'c1', completed_at: crawl.completedAt };

test('the crawl section of a URL: found, not found, without a crawl, and with erased rows', async () => {
  const of = { websiteId: 'w1', crawlId: 'c1' };
  const known = [0, 1, 2, 3].map((page) => crawlPageOf(page, { fetchedAt: 0, status: 0 }));
  await writeCrawlPages(engine.clickhouse, of, known);
  const moved = { path: '/page/1', url: 'http://shop.example/page/1', status: 301 };
  const fetched = [
    crawlPageOf(1, { canonical: 'https://shop.example/' }),
    crawlPageOf(2, { ...moved, redirectTo: 'https://shop.example/page/1', indexable: false }),
  ];
  await writeCrawlPages(engine.clickhouse, of, fetched);
  const ranks = [
    { page: 1, depth: 2, inlinks: 5, outlinks: 4, pagerank: 0.5 },
    { page: 3, depth: null, inlinks: 0, outlinks: 0, pagerank: 0 },
  ];
  await writeCrawlRanks(engine.clickhouse, of, ranks);
  await writeCrawlLinks(engine.clickhouse, of, [
    { from: 3, to: 1, kind: 'a' },
    { from: 2, to: 1, kind: 'redirect' },
    { from: 1, to: 1, kind: 'a' },
  ] as never);
  const read = async (path: string, given: typeof crawl | null = crawl) => {
    const [[page]] = await readTogether(engine.clickhouse, 'page', [crawledPage(given, path)]);
    return readUrlCrawl(engine.clickhouse, given, page);
  };

  expect(await read('/page/1')).toEqual({
    ...{ ...head, in_crawl: true, status: 200, depth: 2, inlinks: 5, outlinks_internal: 4, pagerank: 0.5 },
    ...{ indexable: true, canonical: 'https://shop.example/', redirect_to: null },
    ...{ linked_from: ['/page/3'], findings: [] },
  });
  // Known but not fetched: unreachable from the home page.
  expect(await read('/page/3')).toMatchObject({
    ...{ in_crawl: true, status: null, indexable: null, depth: null, inlinks: 0, pagerank: 0 },
  });
  expect(await read('/none')).toMatchObject({ ...head, in_crawl: false, status: null });
  expect(await read('/page/1', null)).toMatchObject({ available: false, reason: 'no_crawl' });
  const gone = await read('/page/1', { ...crawl, id: 'c2' });
  expect(gone).toMatchObject({ available: false, reason: 'missing_results', in_crawl: null });
});
