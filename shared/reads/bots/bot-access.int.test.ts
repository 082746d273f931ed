import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  googlebot,
  insertStored,
  type StoredRequest,
  storedRequest,
} from '../../../test/harness/stored-requests.js';
import { DAY_MS, MINUTE_MS } from '../../durations.js';
import { botsAccess } from './bot-access.js';

/** Served and rejected crawlers, classified by their verified requests. */

const NOW = Date.UTC(2026, 10, 21, 15);
const impostor = { bot_verification: 'spoofed', traffic_class: 'spoofed_bot' } as const;
const pending = { bot_verification: 'pending', client_ip: '192.0.2.7' } as const;
const gptbot: Partial<StoredRequest> = {
  ...googlebot,
  ...{ bot_name: 'GPTBot', bot_family: 'OpenAI', bot_operator: 'OpenAI' },
  ...{ traffic_class: 'ai_bot', bot_category: 'ai' },
};
const ccbot = { ...gptbot, bot_name: 'CCBot', bot_family: 'Common Crawl', bot_operator: 'Common Crawl' };

type Name =
  | 'gptbot_shut_out'
  | 'inverted_rule'
  | 'some_of_them'
  | 'to_pay'
  | 'without_dns'
  | 'impostors_alone';

/** Requests by website: sender, status and count. */
const websites: Record<Name, readonly (readonly [Partial<StoredRequest>, number, number])[]> = {
  gptbot_shut_out: [
    [gptbot, 403, 133],
    [{ ...gptbot, ...impostor }, 200, 8],
  ],
  // A rule that blocks the real bots and serves the impostors.
  inverted_rule: [
    [googlebot, 403, 40],
    [{ ...googlebot, ...impostor }, 200, 12],
  ],
  // One crawler is served, and another is rejected.
  some_of_them: [
    [gptbot, 200, 900],
    [ccbot, 403, 30],
    [googlebot, 429, 25],
  ],
  to_pay: [
    [gptbot, 402, 60],
    [ccbot, 402, 30],
    [ccbot, 403, 30],
  ],
  // No reverse DNS: claims are neither proved nor disproved.
  without_dns: [
    [{ ...googlebot, ...pending }, 200, 465],
    [{ ...googlebot, ...pending }, 403, 57],
  ],
  impostors_alone: [[{ ...googlebot, ...impostor }, 403, 12]],
};

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const rows = Object.entries(websites).flatMap(([website_id, kinds]) =>
    kinds.flatMap(([who, status, count]) =>
      Array.from({ length: count }, (_, n) =>
        storedRequest({ ...who, website_id, status, timestamp: NOW - DAY_MS - n * MINUTE_MS }),
      ),
    ),
  );
  await insertStored(
    engine.clickhouse,
    rows.map((row, log_index) => ({ ...row, log_index })),
    { deduplicationToken: 'access', retentionDays: 25_000 },
  );
}, 180_000);
afterAll(() => engine?.stop());

async function accessOf(websiteId: Name) {
  const scope = { websiteId, window: { start: NOW - 7 * DAY_MS, end: NOW }, filters: {} };
  const { bots } = await botsAccess.read(engine.clickhouse, scope, { limit: 10 });
  return new Map(bots.map((bot) => [bot.bot_name, bot]));
}

test('a crawler whose real requests are all refused while impostors are served is rejected, and inverted', async () => {
  expect((await accessOf('gptbot_shut_out')).get('GPTBot')).toMatchObject({
    ...{ verified_requests: 133, unproved_requests: 0, spoofed_requests: 8 },
    served: { requests: 8, verified: 0, unverified: 8, spoofed: 8 },
    rejected: { requests: 133, verified: 133, unverified: 0, spoofed: 0 },
    ...{ access: 'rejected', real_crawler: 'inverted', rejected_who: 'verified_only' },
  });
  expect((await accessOf('inverted_rule')).get('Googlebot')).toMatchObject({ real_crawler: 'inverted' });
});

test('one served crawler does not offset another one that is shut out', async () => {
  const access = await accessOf('some_of_them');
  expect([...access].map(([name, { real_crawler }]) => [name, real_crawler])).toEqual([
    ['CCBot', 'shut_out'],
    ['Googlebot', 'shut_out'],
    ['GPTBot', 'let_in'],
  ]);
});

test('402 is counted separately from 403', async () => {
  const access = await accessOf('to_pay');
  expect(access.get('GPTBot')).toMatchObject({
    ...{ access: 'none', real_crawler: 'charged', rejected_who: null },
    rejected: { requests: 0 },
    payment_required: { requests: 60, verified: 60, unverified: 0, spoofed: 0 },
  });
  expect(access.get('CCBot')).toMatchObject({
    ...{ access: 'rejected', real_crawler: 'shut_out' },
    ...{ rejected: { verified: 30 }, payment_required: { verified: 30 } },
    rejected_verified_by_status: { 403: 30 },
  });
});

test('unproved claims are reported as unproved', async () => {
  expect((await accessOf('without_dns')).get('Googlebot')).toMatchObject({
    ...{ verified_requests: 0, unproved_requests: 522, spoofed_requests: 0 },
    ...{ access: 'mixed', real_crawler: 'unproved', rejected_who: 'unverifiable' },
  });
  expect((await accessOf('impostors_alone')).get('Googlebot')).toMatchObject({
    ...{ access: 'rejected', real_crawler: 'absent', rejected_who: 'impersonators_only' },
  });
});
