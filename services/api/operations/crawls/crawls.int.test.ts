import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../../shared/durations.js';
import { createTestApi, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { granted } from '../../../../test/harness/control-plane.js';
import { crawlPageOf } from '../../../../test/harness/crawl-pages.js';
import { writeCrawlPages } from '../../../jobs/crawls/rows/crawl-writes.js';

/** Crawls from the customer's view: request, progress and cancellation (spec §4.6). */

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  test = await createTestApi({ clickhouse: engine.clickhouse, crawlerEgressIp: '203.0.113.17' });
});

const post = (path: string, body?: unknown) =>
  test.read(path, { method: 'POST', ...(body === undefined ? {} : { body }) });
const list = async () => (await test.read('/crawls')).body;

const counts = {
  ...{ urlCount: 9, indexableCount: 8, status200: 8, unlinkedCount: 1, maxDepth: 3 },
  auditSummary: { high: 1, medium: 2, low: 3 },
};

async function start(crawlId: string): Promise<void> {
  granted(await test.control.execute({ type: 'startCrawl', crawlId, attemptsBefore: 0 }, 'system'));
}
async function end(crawlId: string, outcome: object): Promise<void> {
  const command = { type: 'endCrawl', crawlId, attempt: 1, outcome } as never;
  granted(await test.control.execute(command, 'system'));
}
async function crawled(outcome: object): Promise<string> {
  const { crawl_id } = (await post('/crawls/run')).body.crawl;
  await start(crawl_id);
  await end(crawl_id, outcome);
  test.advance(MINUTE_MS);
  return crawl_id;
}

describe('POST /crawls/run', () => {
  it('queues a crawl, with or without a body, and adds it to the timeline', async () => {
    const { status, body } = await post('/crawls/run', { max_pages: 100 });
    expect(status).toBe(200);
    expect(body.crawl).toMatchObject({
      ...{ status: 'queued', source: 'service_crawler', trigger: 'manual', max_pages: 100 },
      ...{ url_count: null, audit_summary: null, progress: null, delta: null, started_at: null, error: null },
    });
    expect(body.crawl.crawl_id).toMatch(/^\d{8}T\d{6}_[0-9a-z]{8}$/);
    await post(`/crawls/${body.crawl.crawl_id}/cancel`);
    expect((await post('/crawls/run')).body.crawl.max_pages).toBe(5_000);
    await test.options.services.waitForProjections();
    const { events } = (await test.read('/site-events')).body;
    expect(events.map(({ title }: { title: string }) => title).sort()).toEqual([
      `Crawl ${body.crawl.crawl_id} cancelled`,
      'Requested a crawl of the website',
      'Requested a crawl of the website',
    ]);
  });

  it.each([99, 50_001, 1.5, '200', null])(
    'refuses max_pages %j with the name of the field',
    async (max_pages) => {
      const { status, text } = await post('/crawls/run', { max_pages });
      expect(status).toBe(400);
      expect(text).toContain('max_pages');
      expect((await list()).crawls).toEqual([]);
    },
  );

  it('refuses a second one while one is open, and names it', async () => {
    const { crawl } = (await post('/crawls/run')).body;
    const { status, body } = await post('/crawls/run');
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'crawl_open', detail: expect.stringContaining(crawl.crawl_id) });
  });

  it('needs a key that may write', async () => {
    const answer = await test.read('/crawls/run', { method: 'POST', key: test.keys.read });
    expect(answer.status).toBe(403);
  });

  it('is refused if the installation does not fetch websites', async () => {
    test = await createTestApi({ clickhouse: engine.clickhouse, fetchesWebsites: false });
    expect((await post('/crawls/run')).status).toBe(503);
  });
});

describe('POST /crawls/{crawl_id}/cancel', () => {
  it('ends a waiting and a running crawl, once', async () => {
    for (const begins of [false, true]) {
      const { crawl_id } = (await post('/crawls/run')).body.crawl;
      if (begins) await start(crawl_id);
      const { status, body } = await post(`/crawls/${crawl_id}/cancel`);
      expect(status).toBe(200);
      expect(body.crawl).toMatchObject({ crawl_id, status: 'cancelled' });
      expect(await post(`/crawls/${crawl_id}/cancel`)).toMatchObject({
        ...{
          status: 409,
          body: { code: 'crawl_ended', detail: expect.stringContaining('cancelled already') },
        },
      });
    }
  });

  it('does not find a crawl of another website', async () => {
    const asked = { type: 'requestCrawl', websiteId: test.foreignWebsite.id, trigger: 'manual' } as const;
    const { id } = granted(await test.control.execute(asked, 'system'));
    expect((await post(`/crawls/${id}/cancel`)).status).toBe(404);
    expect((await post('/crawls/none/cancel')).status).toBe(404);
    expect(test.control.state().crawls.get(id)?.status).toBe('queued');
  });
});

describe('GET /crawls', () => {
  it('is empty at first, with the effective settings', async () => {
    expect(await list()).toEqual({
      ...{ crawls: [], latest: null, auto_crawl: false, auto_crawl_max_pages: 5_000 },
      ...{ crawl_render_js: false, crawl_query_keys: [], crawler_egress_ip: '203.0.113.17' },
    });
    const change = { type: 'changeCrawlSettings', websiteId: test.website.id } as const;
    await test.control.execute({ ...change, autoCrawl: true, queryKeys: ['page'] }, 'admin');
    expect(await list()).toMatchObject({ auto_crawl: true, crawl_query_keys: ['page'] });
  });

  it('lists the newest first, and the newest ready crawl as the latest', async () => {
    const delta = {
      ...{ previousCrawlId: 'before', new: 1, gone: 2, statusChanged: 3, titleChanged: 4 },
      ...{ canonicalChanged: 5, indexableChanged: 6 },
    };
    const ready = await crawled({ status: 'ready', counts, delta });
    const blocked = await crawled({ status: 'blocked', error: 'The home page answers 403.' });
    const body = await list();
    expect(body.crawls.map(({ crawl_id }: { crawl_id: string }) => crawl_id)).toEqual([blocked, ready]);
    expect(body.crawls[0]).toMatchObject({ status: 'blocked', error: 'The home page answers 403.' });
    expect(body.latest).toEqual(body.crawls[1]);
    expect(body.latest).toMatchObject({
      ...{ url_count: 9, indexable_count: 8, status_200: 8, unlinked_count: 1, max_depth: 3 },
      audit_summary: { high: 1, medium: 2, low: 3 },
      delta: {
        ...{ previous_crawl_id: 'before', new: 1, gone: 2, status_changed: 3, title_changed: 4 },
        ...{ canonical_changed: 5, indexable_changed: 6 },
      },
    });
  });

  it('lists twenty, and the latest also if it is older', async () => {
    const ready = await crawled({ status: 'ready', counts, delta: null });
    for (let count = 0; count < 22; count++) await crawled({ status: 'failed', error: 'Nobody answers.' });
    const body = await list();
    expect(body.crawls).toHaveLength(20);
    expect(body.latest.crawl_id).toBe(ready);
  });

  it('counts known and fetched pages of a running crawl, each once', async () => {
    const { crawl_id: crawlId } = (await post('/crawls/run')).body.crawl;
    const of = { websiteId: test.website.id, crawlId };
    await start(crawlId);
    expect((await list()).crawls[0].progress).toEqual({ pages_known: 0, pages_fetched: 0 });
    const known = [0, 1, 2, 3].map((page) => crawlPageOf(page, { fetchedAt: 0 }));
    await writeCrawlPages(engine.clickhouse, of, known);
    await writeCrawlPages(engine.clickhouse, of, [crawlPageOf(1)]);
    await writeCrawlPages(engine.clickhouse, { ...of, crawlId: 'other' }, known);
    expect((await list()).crawls[0].progress).toEqual({ pages_known: 4, pages_fetched: 1 });
  });
});

describe('crawl_id in reads of a crawl', () => {
  const reads = ['crawl-report', 'crawl-audit', 'crawl-links'];

  it.each(reads)('%s finds neither an unknown crawl nor one of another website', async (read) => {
    const asked = { type: 'requestCrawl', websiteId: test.foreignWebsite.id, trigger: 'manual' } as const;
    const { id } = granted(await test.control.execute(asked, 'system'));
    for (const crawlId of ['none', id])
      expect(await test.read(`/${read}?crawl_id=${crawlId}`)).toMatchObject({
        ...{ status: 404, body: { detail: expect.stringContaining('crawl_id') } },
      });
  });

  it.each(reads)(
    '%s refuses a crawl that is not ready with its state, and answers for a ready one',
    async (read) => {
      const ready = await crawled({ status: 'ready', counts, delta: null });
      const failed = await crawled({ status: 'failed', error: 'Nobody answers.' });
      const queued = (await post('/crawls/run')).body.crawl.crawl_id;
      for (const [crawlId, status] of [
        [failed, 'failed'],
        [queued, 'queued'],
      ])
        expect(await test.read(`/${read}?crawl_id=${crawlId}`)).toMatchObject({
          ...{ status: 409, body: { detail: expect.stringContaining(`is ${status}`) } },
        });
      const { status, body } = await test.read(`/${read}?crawl_id=${ready}`);
      expect([status, body.crawl?.crawl_id]).toEqual([200, ready]);
    },
  );
});
