import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { crawlPageOf } from '../../../test/harness/crawl-pages.js';
import { crawlsJob } from './crawls-job.js';
import { readCrawlDelta } from './rows/crawl-delta.js';
import { readStoredCrawls } from './rows/crawl-removal.js';
import { writeCrawlLinks, writeCrawlPages, writeCrawlRanks } from './rows/crawl-writes.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const signal = new AbortController().signal;
const logger = pino({ level: 'silent' });

async function world({ fetches = true } = {}) {
  let at = Date.parse('2026-11-21T12:00:00Z');
  const { control } = await openTestPlane({ now: () => at });
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  );
  const created = await control.execute(
    { type: 'createWebsite', organisationId, domain: 'shop.example' },
    'admin',
  );
  const websiteId = granted(created).website.id;
  const job = crawlsJob({ control, fetches, files: null });
  return {
    ...{ control, websiteId, job },
    advance: (ms: number) => {
      at += ms;
    },
    run: () => job.run({ id: websiteId }, { clickhouse: engine.clickhouse, now: () => at, signal, logger }),
    crawls: () => control.state().crawls.by('websiteId', websiteId),
    settings: async (given: object) =>
      void granted(await control.execute({ type: 'changeCrawlSettings', websiteId, ...given }, 'admin')),
    cancel: async (crawlId: string) =>
      void granted(await control.execute({ type: 'cancelCrawl', websiteId, crawlId }, 'admin')),
    ask: async () =>
      granted(await control.execute({ type: 'requestCrawl', websiteId, trigger: 'manual' }, 'admin')).id,
  };
}

async function store(websiteId: string, crawlId: string): Promise<void> {
  const of = { websiteId, crawlId };
  await writeCrawlPages(engine.clickhouse, of, [crawlPageOf(0), crawlPageOf(1)]);
  const link = { from: 0, to: 1, kind: 'a', nofollow: false, anchor: '' } as const;
  await writeCrawlLinks(engine.clickhouse, of, [link]);
  const rank = { page: 0, depth: 0, inlinks: 0, outlinks: 1, pagerank: 1 };
  await writeCrawlRanks(engine.clickhouse, of, [rank]);
}

test('a website with weekly crawls is crawled once a week, even if several replicas check it often', async () => {
  const { settings, run, crawls, advance, cancel, job, websiteId } = await world();
  expect(job.isFor({ id: websiteId })).toBe(false);
  await settings({ autoCrawl: true, autoCrawlMaxPages: 700 });
  expect(job.isFor({ id: websiteId })).toBe(true);
  await Promise.all([run(), run(), run()]);
  expect(crawls()).toMatchObject([{ trigger: 'auto', maxPages: 700, status: 'queued' }]);
  await cancel(crawls()[0]!.id);
  for (let hours = 0; hours < 160; hours += 20) {
    advance(20 * HOUR_MS);
    await run();
    expect(crawls()).toHaveLength(1);
  }
  advance(8 * HOUR_MS);
  await run();
  expect(crawls()).toHaveLength(2);
});

test('a crawl that was requested within the week replaces the weekly one', async () => {
  const { settings, run, crawls, advance, cancel, ask } = await world();
  await cancel(await ask());
  await settings({ autoCrawl: true });
  advance(5 * DAY_MS);
  await run();
  expect(crawls()).toHaveLength(1);
});

test.each([
  { autoCrawl: false, fetches: true },
  { autoCrawl: true, fetches: false },
])('none is asked for where %j', async ({ autoCrawl, fetches }) => {
  const { settings, run, crawls } = await world({ fetches });
  await settings({ autoCrawl });
  await run();
  expect(crawls()).toEqual([]);
});

test('rows of expired or unsuccessful crawls are removed, and all others stay', async () => {
  const { run, websiteId, ask, cancel, control } = await world();
  const cancelled = await ask();
  await cancel(cancelled);
  const open = await ask();
  // Requested on another replica a moment ago, and long ago.
  const [unseen, old] = ['20261121T115900_00000000', '20261101T000000_00000000'];
  for (const id of [cancelled, open, unseen, old]) await store(websiteId, id);
  await store('web_other', old);
  await run();
  const left = async (table: string, where = `website_id = '${websiteId}'`) => {
    const rows = await engine.clickhouse.read({
      name: 'test.crawls',
      sql: `SELECT DISTINCT crawl_id FROM ${table} WHERE ${where} ORDER BY crawl_id`,
      params: {},
      row: z.object({ crawl_id: z.string() }),
    });
    return rows.map(({ crawl_id }) => crawl_id);
  };
  const kept = [unseen, open].sort();
  for (let tries = 0; (await left('crawl_pages')).length > 2 && tries < 100; tries++)
    await new Promise((turn) => setTimeout(turn, 50));
  for (const table of ['crawl_pages', 'crawl_links', 'crawl_ranks']) {
    expect(await left(table)).toEqual(kept);
    expect(await left(table, "website_id = 'web_other'")).toEqual([old]);
  }
  expect((await readStoredCrawls(engine.clickhouse, websiteId)).sort()).toEqual(kept);
  expect(control.state().crawls.get(open)?.status).toBe('queued');
});

test('the delta counts differences of URLs in both crawls, and URLs in only one of them', async () => {
  const write = (crawlId: string, pages: Parameters<typeof writeCrawlPages>[2]) =>
    writeCrawlPages(engine.clickhouse, { websiteId: 'web_delta', crawlId }, pages);
  const known = [0, 1, 2, 3, 4, 5].map((page) => crawlPageOf(page, { fetchedAt: 0, title: '', status: 0 }));
  await write('before', known);
  await write(
    'before',
    [0, 1, 2, 3, 4].map((page) => crawlPageOf(page)),
  );
  // Page 5 was not fetched, page 9 has another number than before.
  await write('now', known);
  const changed = [
    crawlPageOf(0, { title: 'Another' }),
    crawlPageOf(1, { status: 404, indexable: false }),
    crawlPageOf(2, { canonical: 'https://shop.example/' }),
    crawlPageOf(9, { url: crawlPageOf(3).url, title: 'Page 3' }),
    crawlPageOf(7, { path: '/fresh' }),
  ];
  await write('now', changed);
  expect(
    await readCrawlDelta(engine.clickhouse, { websiteId: 'web_delta', crawlId: 'now' }, 'before'),
  ).toEqual({
    ...{ previousCrawlId: 'before', new: 1, gone: 1, statusChanged: 1, titleChanged: 1 },
    ...{ canonicalChanged: 1, indexableChanged: 1 },
  });
});
