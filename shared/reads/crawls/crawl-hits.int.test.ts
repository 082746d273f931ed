import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { writeCrawlPages } from '../../../services/jobs/crawls/rows/crawl-writes.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { crawlPageOf } from '../../../test/harness/crawl-pages.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { ReadTooLargeError } from '../../store/store-errors.js';
import { readPagesWithHits } from './crawl-hits.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const START = Date.parse('2026-11-20T00:00:00Z');

test('without memory for all paths, only those of the crawl are counted, with equal hits', async () => {
  const of = { websiteId: 'w1', crawlId: 'c1' };
  await writeCrawlPages(engine.clickhouse, of, [crawlPageOf(1), crawlPageOf(2)]);
  const rows = ['/page/1', '/page/1', '/page/2', '/other'].map((path, index) =>
    storedRequest({
      ...{ website_id: 'w1', path, log_index: index, timestamp: START + index * HOUR_MS },
      ...{ traffic_class: 'human', is_bot: false },
    }),
  );
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'rows' });
  const scope = { websiteId: 'w1', window: { start: START, end: START + 5 * HOUR_MS }, filters: {} };
  const hitsOf = (reader: ClickHouseReader) =>
    readPagesWithHits(reader, { scope, crawlId: 'c1' }, 'everyone', (pages) => ({
      ...{
        name: 'hits',
        sql: `SELECT q.path AS path, q.human_hits AS hits FROM (${pages.sql}) AS q ORDER BY path`,
      },
      ...{ params: pages.params, row: z.object({ path: z.string(), hits: z.number() }) },
    }));
  const statements: string[] = [];
  const withoutMemory: ClickHouseReader = {
    read(query) {
      statements.push(query.sql);
      if (statements.length === 1) return Promise.reject(new ReadTooLargeError('too many paths'));
      return engine.clickhouse.read(query);
    },
  };
  const hits = await hitsOf(engine.clickhouse);
  expect(hits).toEqual([
    { path: '/page/1', hits: 2 },
    { path: '/page/2', hits: 1 },
  ]);
  expect(await hitsOf(withoutMemory)).toEqual(hits);
  expect(statements.map((sql) => sql.includes('IN (SELECT path FROM crawl_pages'))).toEqual([false, true]);
});
