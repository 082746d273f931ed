import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { Window } from '../sql/scope.js';
import { robots } from './robots.js';
import { insertRobotsFetch } from './robots-sql.js';

/** The answer for versions before, in and after its window. */

const NOW = Date.UTC(2026, 10, 3, 14);

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

/** @param content null: the website did not respond. */
async function storeFetch(websiteId: string, daysAgo: number, content: string | null): Promise<void> {
  const hash = content === null ? '' : `sha-${content}`;
  const fetch = {
    fetchedAt: NOW - daysAgo * DAY_MS,
    outcome: content === null ? ('unreachable' as const) : ('found' as const),
    hash,
    httpStatus: content === null ? 0 : 200,
    finalUrl: 'https://shop.example/robots.txt',
    problem: content === null ? 'shop.example took too long.' : '',
  };
  const version = content === null ? null : { hash, content, isTruncated: false };
  await insertRobotsFetch(engine.clickhouse, websiteId, fetch, version);
}

function read(websiteId: string, window: Window) {
  return robots.read(
    engine.clickhouse,
    { websiteId, window, filters: {} },
    { domain: 'shop.example', fetchesWebsites: true },
  );
}

const daysAgo = (start: number, end: number) => ({ start: NOW - start * DAY_MS, end: NOW - end * DAY_MS });

test('the current version is returned for any window, and is new only in the window in which it began', async () => {
  await storeFetch('changed', 9, 'user-agent: *');
  await storeFetch('changed', 4, 'user-agent: *\ndisallow: /cart');
  await storeFetch('changed', 1, null);
  const fieldsIn = async (window: Window) => {
    const { using_saved, raw_content, is_new_version } = await read('changed', window);
    return { using_saved, raw_content, is_new_version };
  };
  const current = { using_saved: true, raw_content: 'user-agent: *\ndisallow: /cart' };
  expect(await fieldsIn(daysAgo(8, 6))).toEqual({ ...current, is_new_version: false });
  expect(await fieldsIn(daysAgo(5, 3))).toEqual({ ...current, is_new_version: true });
  expect(await fieldsIn(daysAgo(3, 2))).toEqual({ ...current, is_new_version: false });
});

test('an expired copy is in force in no answer, but judges the requests of its time', async () => {
  await storeFetch('forgotten', 40, 'user-agent: *\ndisallow: /cart');
  await storeFetch('forgotten', 1, null);
  const window = daysAgo(35, 33);
  const answer = await read('forgotten', window);
  expect(answer).toMatchObject({
    status: 'unreachable',
    using_saved: false,
    raw_content: null,
    current_hash: null,
    is_new_version: false,
    judged_since: new Date(window.start).toISOString(),
  });
  expect(answer.history.map(({ until }) => until)).toEqual([new Date(NOW - 10 * DAY_MS).toISOString()]);
});

test('the example of a violation is the most requested URL over all versions', async () => {
  const first = 'user-agent: *\ndisallow: /cart\ndisallow: /*?sort=';
  await storeFetch('examples', 6, first);
  await storeFetch('examples', 4, 'user-agent: *\ndisallow: /cart');
  await storeFetch('examples', 2, first);
  const asked: [daysAgo: number, query: string, requests: number][] = [
    [5, '', 1],
    [5, 'b', 4],
    [5, 'a', 3],
    [1, '', 2],
    [1, 'a', 3],
  ];
  const rows = asked.flatMap(([days, query, requests], index) =>
    Array.from({ length: requests }, (_, count) =>
      storedRequest({
        ...googlebot,
        website_id: 'examples',
        timestamp: NOW - days * DAY_MS - HOUR_MS,
        received_at: NOW,
        path: '/cart',
        query,
        target: query === '' ? '/cart' : `/cart?${query}`,
        log_index: 10 * index + count,
      }),
    ),
  );
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'examples', retentionDays: 25_000 });
  const { violations } = await read('examples', { ...daysAgo(7, 0), running: true });
  expect(violations!.map(({ path, requests, example_url }) => ({ path, requests, example_url }))).toEqual([
    { path: '/cart', requests: 13, example_url: '/cart?a' },
  ]);
});
