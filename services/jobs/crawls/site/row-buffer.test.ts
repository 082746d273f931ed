import { expect, test } from 'vitest';
import type { ClickHouseWriter } from '../../../../shared/store/client.js';
import { crawlPageOf } from '../../../../test/harness/crawl-pages.js';
import { createCrawlRowBuffer } from './row-buffer.js';

const inserts: number[] = [];
const writer = {
  insert: async ({ rows }: { rows: Buffer }) => void inserts.push(rows.length),
} as unknown as ClickHouseWriter;

test('pages with many alternates are written before they take much memory', async () => {
  const rows = createCrawlRowBuffer(writer, { websiteId: 'shop', crawlId: 'c' }, () => 0);
  const hreflangs = Array.from({ length: 200 }, (_, n) => ({ lang: `l${n}`, url: 'x'.repeat(2_000) }));
  for (let page = 0; page < 150; page += 1) {
    rows.add(crawlPageOf(page, { hreflangs }), []);
    await rows.flush();
  }
  await rows.flush(true);
  expect(inserts.length).toBeGreaterThan(10);
  expect(Math.max(...inserts)).toBeLessThan(8_000_000);
});

test('discovered pages are written in inserts of bounded size', async () => {
  inserts.length = 0;
  const rows = createCrawlRowBuffer(writer, { websiteId: 'shop', crawlId: 'c' }, () => 0);
  for (let page = 0; page < 10_000; page += 1) {
    rows.know(crawlPageOf(page, { path: `/${page}`.padEnd(1_000, 'x') }));
    await rows.flush();
  }
  await rows.flush(true);
  expect(Math.max(...inserts)).toBeLessThan(12_000_000);
});
