import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_AGO, powers, score } from '../../../../test/harness/api/recommendations.js';
import { createTestApi, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../../test/harness/stored-requests.js';

/** Crawler requests that rank a path for repair: proved ones, or claims if none is proved. */

const pending = { bot_verification: 'pending', client_ip: '192.0.2.99' } as const;
const noMethod = { bot_verification: 'unverifiable', client_ip: '192.0.2.98' } as const;
const gptbot = {
  bot_name: 'GPTBot',
  bot_family: 'OpenAI',
  bot_operator: 'OpenAI',
  bot_category: 'ai',
  traffic_class: 'ai_bot',
  user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
} as const;

let engine: TestClickHouse;
let proved: TestApi;
let claimed: TestApi;

beforeAll(async () => {
  engine = await startTestClickHouse();
  let log_index = 0;
  const some = (website_id: string, times: number, given: Partial<StoredRequest>) =>
    Array.from({ length: times }, () =>
      storedRequest({ ...googlebot, website_id, timestamp: HOUR_AGO, log_index: log_index++, ...given }),
    );
  const claims = (id: string) => [
    ...some(id, 40, { ...pending, path: '/claimed', status: 404 }),
    ...some(id, 10, { ...noMethod, path: '/claimed', status: 404 }),
    ...some(id, 20, { ...gptbot, ...noMethod, path: '/for-ai', status: 404 }),
    ...some(id, 9, { ...pending, path: '/slow-claimed', time_taken_ms: 3_000 }),
  ];
  proved = await createTestApi({ reader: engine.clickhouse });
  claimed = await createTestApi({ reader: engine.clickhouse });
  const id = proved.website.id;
  const rows = [
    ...claims(id),
    ...some(id, 6, { path: '/proved', status: 404 }),
    ...some(id, 9, { path: '/slow-proved', time_taken_ms: 3_000 }),
    ...some(id, 3, { ...gptbot, path: '/for-ai-proved', status: 404 }),
    ...claims(claimed.website.id),
  ];
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'bases', retentionDays: 25_000 });
}, 120_000);
afterAll(() => engine?.stop());

type Item = { path: string; score: number; reason_badges: string[]; search_bot_requests?: number };
const summaries = (items: Item[]) => items.map((item) => [item.path, item.score, item.reason_badges]);

describe.each(['/recommendations', '/recommendations/paths-404'])('paths not found of %s', (path) => {
  const itemsOf = (body: { paths_404?: Item[]; items?: Item[] }) => body.paths_404 ?? body.items ?? [];

  it('rank by proved requests: claims count like those of any bot, without a badge', async () => {
    const { body } = await proved.read(path);
    expect(body).toMatchObject({ crawl_basis: 'verified', ai_basis: 'verified' });
    expect(summaries(itemsOf(body))).toEqual([
      ['/proved', score(20 * powers(3 * 6)), ['search_crawlers']],
      ['/claimed', score(20 * powers(50 / 10)), ['other_bots_only']],
      ['/for-ai-proved', score(20 * powers(3)), ['ai_bots']],
      ['/for-ai', score(20 * powers(20 / 10)), ['other_bots_only']],
    ]);
  });

  it('rank by claims if nothing is proved, and name that basis', async () => {
    const { body } = await claimed.read(path);
    expect(body).toMatchObject({ crawl_basis: 'unproved', ai_basis: 'unproved' });
    expect(summaries(itemsOf(body))).toEqual([
      ['/claimed', score(20 * powers(3 * 50)), ['search_crawlers']],
      ['/for-ai', score(20 * powers(20)), ['ai_bots']],
    ]);
  });
});

describe.each(['/recommendations', '/recommendations/slow-paths'])('slow paths of %s', (path) => {
  const badgesOf = (body: { slow_paths?: Item[]; items?: Item[] }) =>
    (body.slow_paths ?? body.items ?? []).map((item) => [item.path, item.reason_badges]);

  it('have the badge of search crawlers only for requests that count', async () => {
    expect(badgesOf((await proved.read(path)).body)).toEqual([
      ['/slow-claimed', []],
      ['/slow-proved', ['search_crawlers']],
    ]);
    const { body } = await claimed.read(path);
    expect(body).toMatchObject({ crawl_basis: 'unproved' });
    expect(badgesOf(body)).toEqual([['/slow-claimed', ['search_crawlers']]]);
  });
});

it('the list of impostors does not depend on the basis', async () => {
  const { body } = await proved.read('/recommendations/unverified-bots');
  expect(Object.keys(body)).not.toContain('crawl_basis');
});
