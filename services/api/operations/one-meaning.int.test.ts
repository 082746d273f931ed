import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../test/harness/stored-requests.js';
import { readCrawlHealth } from '../../jobs/crawls/health/crawl-health.js';

/** A word has one meaning in every read: several reads count the same rows under names with a common word. */

let engine: TestClickHouse;
let test: TestApi;
const rows: StoredRequest[] = [];

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  const some = (times: number, given: Partial<StoredRequest>) => {
    for (let at = 0; at < times; at++)
      rows.push(
        storedRequest({
          ...{ website_id: test.website.id, log_index: rows.length },
          ...{ timestamp: TEST_NOW - 2 * HOUR_MS + rows.length * 1_000, ...given },
        }),
      );
  };
  const claims: readonly Partial<StoredRequest>[] = [
    { ...googlebot, path: '/search', query: 'q=1' },
    {
      ...googlebot,
      ...{
        bot_name: 'GPTBot',
        bot_family: 'OpenAI',
        bot_operator: 'OpenAI',
        bot_category: 'ai',
        ai_intent: 'training',
      },
      ...{ traffic_class: 'ai_bot', path: '/guide.html', file_type: 'html' },
    },
  ];
  for (const claim of claims) {
    some(5, { ...claim, bot_verification: 'verified' });
    some(3, { ...claim, bot_verification: 'unverifiable', client_ip: '192.0.2.3' });
    some(2, { ...claim, bot_verification: 'pending', client_ip: '192.0.2.4' });
    some(4, { ...claim, bot_verification: 'spoofed', traffic_class: 'spoofed_bot', client_ip: '192.0.2.5' });
  }
  some(3, { ...googlebot, path: '/search', query: 'q=2' });
  some(2, { ...googlebot, path: '/search', query: 'q=3', timestamp: TEST_NOW - MINUTE_MS });
  some(7, { ...googlebot, path: '/lost', status: 404 });
  some(6, { ...googlebot, path: '/taken-down', status: 410 });
  // Two visits: reloads and images do not count.
  some(3, { path: '/shop.html', file_type: 'html', client_ip: '198.51.100.1' });
  some(1, { path: '/shop.html', file_type: 'html', client_ip: '198.51.100.2' });
  some(8, { path: '/shop.jpg', file_type: 'jpg', client_ip: '198.51.100.2' });
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'one meaning' });
});
afterAll(() => engine?.stop());

const body = async (path: string) => (await test.read(path)).body;
/** Repeats the call until its second half is ready. */
async function whole(path: string) {
  for (;;) {
    const answer = await body(path);
    if (answer.data_buffering !== true) return answer;
  }
}
const count = (is: (row: StoredRequest) => boolean) => rows.filter(is).length;

it('unverified: every claim that is not proved, including proven impostors', async () => {
  for (const name of ['Googlebot', 'GPTBot']) {
    const unverified = count((row) => row.bot_name === name && row.bot_verification !== 'verified');
    const { bots } = await body('/bots/access?hours=24');
    const access = bots.find((bot: { bot_name: string }) => bot.bot_name === name);
    expect(access.served.unverified, name).toBe(unverified);
    expect((await whole(`/seo/requests?filter_type=unverified&bot=${name}`)).total_count, name).toBe(
      unverified,
    );
    if (name === 'GPTBot') {
      const { crawlers } = await body('/llms');
      expect(crawlers).toMatchObject([{ bot_name: name, unverified_count: unverified, spoofed_count: 4 }]);
    }
  }
  // The proven impostors among them.
  const impostors = (name: string) => (row: StoredRequest) =>
    row.bot_name === name && row.bot_verification === 'spoofed';
  expect((await body('/seo')).unverified_suspicious).toBe(count(impostors('Googlebot')));
});

it('not found, and 404: answered 404', async () => {
  const lost = count((row) => row.status === 404);
  expect((await body('/status-codes')).status_codes).toContainEqual(
    expect.objectContaining({ status: 404, requests: lost }),
  );
  expect((await whole('/recommendations')).paths_404).toMatchObject([{ path: '/lost', request_count: lost }]);
  const window = { start: TEST_NOW - 24 * HOUR_MS, end: TEST_NOW };
  const scope = { websiteId: test.website.id, window, filters: {} };
  expect((await readCrawlHealth(engine.clickhouse, scope)).notFound).toBe(lost);
});

it('visits of people: pages that they visited, once per half hour', async () => {
  const { segments } = await whole('/segments-breakdown?hours=24');
  const requests = count((row) => !row.is_bot);
  expect(segments).toMatchObject([{ segment_id: '_all', human_visits: 2, human_requests: requests }]);
  const { totals } = await whole('/ai-landing?hours=24');
  expect(totals).toMatchObject({ human_visits: 2, humans_total: requests });
});

it('URLs of a pattern with parameters: with their query strings', async () => {
  const { patterns } = await whole('/seo/url-patterns?hours=24');
  expect(patterns.find(({ pattern }: { pattern: string }) => pattern === '/search?{params}')).toMatchObject({
    unique_urls: 3,
    example_url: '/search?q=3',
  });
});
