import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { AnswerTooLongError } from '../../store/store-errors.js';
import type { Filters } from '../sql/filters.js';
import { readUrlRequests } from './url-logs.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const of = <Value>(index: number, values: readonly Value[]) => values[index % values.length]!;
  const rows = Array.from({ length: 300 }, (_, index) => {
    const isHuman = index % 3 > 0;
    return storedRequest({
      ...{ website_id: 'w1', log_index: index, timestamp: START + index * 17 * 60_000 },
      ...{ path: of(index, ['/a', '/a', '/b', '/a/']), status: of(index, [200, 200, 304, 404, 503, 301]) },
      ...{ method: of(index, ['GET', 'GET', 'POST']), file_type: of(index, ['html', 'html', 'png']) },
      ...{
        country: of(index, ['DE', 'FR', 'DE', '', 'US']),
        is_bot: !isHuman,
        bot_name: isHuman ? '' : 'Googlebot',
      },
      ...{ traffic_class: isHuman ? 'human' : 'search_bot', time_taken_ms: index % 5 === 0 ? null : index },
      ...{
        bot_verification: isHuman
          ? ''
          : of(index, ['verified', 'spoofed', 'unverifiable', 'pending', 'verified']),
      },
      ...{ referrer_domain: of(index, ['', 'x.example', 'y.example']), referrer_class: 'external' },
    });
  });
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'rows' });
});
afterAll(() => engine?.stop());

const START = Date.parse('2026-11-20T00:00:00Z');
/** Two with a gap between them, and one in another time zone that overlaps. */
const days = [
  { day: '2026-11-20', timeZone: 'UTC', pageviews: 0 },
  { day: '2026-11-22', timeZone: 'UTC', pageviews: 0 },
  { day: '2026-11-23', timeZone: 'Asia/Kathmandu', pageviews: 0 },
];
const segment = { rules: [{ type: 'prefix', value: '/a' }], excludeRules: [] } as const;

test.each<Filters>([{}, { countries: ['DE'] }, { botVerified: true }, { statusClass: 2 }, { segment }])(
  'combinations and the lists of the engine give the same report, narrowed by %j',
  async (filters) => {
    const byEngine: ClickHouseReader = {
      read: (query) =>
        query.mostBytes === undefined
          ? engine.clickhouse.read(query)
          : Promise.reject(new AnswerTooLongError('too many combinations')),
    };
    for (const end of [START + DAY_MS + HOUR_MS / 3, START + 3 * DAY_MS, START + 12 * DAY_MS])
      for (const wanted of [days, []]) {
        const scope = { websiteId: 'w1', window: { start: START + HOUR_MS / 2, end }, filters };
        const found = await readUrlRequests(engine.clickhouse, scope, '/a', wanted);
        expect(found).toEqual(await readUrlRequests(byEngine, scope, '/a', wanted));
        expect(found.logs.requests).toBeGreaterThan(0);
        expect(found.logs.variant?.requests).toBeGreaterThan(0);
      }
  },
);
