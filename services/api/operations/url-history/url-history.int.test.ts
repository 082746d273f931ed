import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertStored, type StoredRequest, storedRequest } from '../../../../test/harness/stored-requests.js';
import { insertVerdicts } from '../../../../test/harness/stored-verdicts.js';
import { urlHistory } from './url-history.js';

/** Fetches of a page, counted from the rollup and listed from the raw rows. */

const START = Date.UTC(2026, 10, 20, 10);
/** Both ends cut an hour. */
const window = { start: START + 20 * MINUTE_MS, end: START + 3 * HOUR_MS + 20 * MINUTE_MS };
const WEBSITE = 'web_history';

type Fetch = Partial<StoredRequest> & Pick<StoredRequest, 'website_id' | 'timestamp'>;

const fetchOf = (minutes: number, address: number, fields: Partial<StoredRequest> = {}): Fetch => ({
  website_id: WEBSITE,
  timestamp: START + minutes * MINUTE_MS,
  path: '/page',
  client_ip: `192.0.2.${address}`,
  traffic_class: 'search_bot',
  is_bot: true,
  bot_name: 'Googlebot',
  bot_family: 'Google',
  bot_category: 'search',
  bot_verification: 'pending',
  ...fields,
});
const verified = { bot_verification: 'verified' } as const;
const bing = { bot_name: 'bingbot', bot_family: 'Microsoft Bing', bot_verification: 'unverifiable' } as const;

const verdict = { websiteId: WEBSITE, family: 'Google', decidedAt: START };

const rows = [
  fetchOf(19, 1, verified),
  fetchOf(20, 1, verified),
  fetchOf(61, 1, verified),
  fetchOf(62, 2),
  fetchOf(63, 3),
  fetchOf(64, 4),
  fetchOf(199, 1, { ...verified, query: 'a=1' }),
  fetchOf(200, 1, verified),
  fetchOf(100, 5, bing),
  fetchOf(101, 5, { ...bing, query: 'a=1' }),
  fetchOf(102, 6, { bot_verification: 'spoofed' }),
  fetchOf(103, 7, { path: '/other', ...verified }),
];

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const stored = rows.map((row, log_index) => storedRequest({ ...row, log_index }));
  await insertStored(engine.clickhouse, stored, { deduplicationToken: 'rows' });
});
afterAll(() => engine?.stop());

async function historyOf(query = '') {
  const input = { path: '/page', query, page: 1, page_size: 50 };
  return urlHistory.read(engine.clickhouse, { websiteId: WEBSITE, window, filters: {} }, input);
}

test.each(['without late verdicts', 'with late verdicts'])('counts equal the list, %s', async (name) => {
  const late = name === 'with late verdicts';
  if (late)
    await insertVerdicts(
      engine.clickhouse,
      [
        { ...verdict, clientIp: '192.0.2.2', status: 'verified' },
        { ...verdict, clientIp: '192.0.2.3', status: 'spoofed' },
      ],
      'verdicts',
    );
  for (const query of ['', 'a=1']) {
    const { bot_summary, events, total_crawls, verified_requests } = (await historyOf(query)) as any;
    const google = events.filter((event: any) => event.bot_name === 'Googlebot');
    expect(total_crawls).toBe(events.length);
    expect(bot_summary).toMatchObject({
      Googlebot: { count: google.length, last_crawled: google[0].timestamp },
      bingbot: { count: events.length - google.length },
    });
    if (query === '') expect([google.length, events.length]).toEqual(late ? [5, 7] : [6, 8]);
    expect(verified_requests).toBe(query === '' ? (late ? 4 : 3) : 1);
  }
});
