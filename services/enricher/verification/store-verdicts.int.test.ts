import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR_MS } from '../../../shared/durations.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import type { WebsiteVerdict } from './dns-verifier.js';
import { createVerdictStore, readVerdicts } from './store-verdicts.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const now = Date.now();
const verdict = (given: Partial<WebsiteVerdict>): WebsiteVerdict => ({
  websiteId: 'site',
  family: 'Google',
  clientIp: '192.0.2.1',
  status: 'verified',
  decidedAt: now - HOUR_MS,
  lastDay: 40_000,
  ...given,
});

async function write(...verdicts: WebsiteVerdict[]): Promise<void> {
  const store = createVerdictStore(engine.clickhouse, pino({ level: 'silent' }));
  for (const one of verdicts) store.add(one);
  await store.stop();
}

test.each(['as they lie', 'merged'])(
  'the latest verdict of each website is stored until its longest-lived row expires: %s',
  async (state) => {
    await write(verdict({ status: 'spoofed', decidedAt: now - 2 * HOUR_MS, lastDay: 40_400 }));
    await write(verdict({}), verdict({ websiteId: 'other', clientIp: '2001:db8::1', lastDay: 40_030 }));
    if (state === 'merged') await engine.clickhouse.command('OPTIMIZE TABLE claim_verdicts FINAL');
    const rows = await engine.clickhouse.read({
      name: 'test',
      sql: `SELECT website_id, bot_family, toString(client_ip) AS ip, tupleElement(max(decided), 'status') AS status,
            toUnixTimestamp64Milli(tupleElement(max(decided), 'at')) AS at, toString(max(v.expires)) AS expires
          FROM claim_verdicts AS v GROUP BY website_id, bot_family, client_ip ORDER BY website_id`,
      params: {},
      row: z.object({
        website_id: z.string(),
        bot_family: z.string(),
        ip: z.string(),
        status: z.string(),
        at: z.number(),
        expires: z.string(),
      }),
    });
    const common = { bot_family: 'Google', status: 'verified', at: now - HOUR_MS };
    expect(rows).toEqual([
      { ...common, website_id: 'other', ip: '2001:db8::1', expires: '2079-08-07' },
      { ...common, website_id: 'site', ip: '::ffff:192.0.2.1', expires: '2080-08-11' },
    ]);
  },
);

test('a start reads the verdicts that are still valid in the cache, with their times', async () => {
  await write(
    verdict({ clientIp: '192.0.2.2', status: 'spoofed', decidedAt: now }),
    verdict({ clientIp: '192.0.2.3', decidedAt: now - 8 * 24 * HOUR_MS }),
    verdict({ clientIp: '192.0.2.4', status: 'spoofed', decidedAt: now - 25 * HOUR_MS }),
    verdict({ clientIp: '192.0.2.5', status: 'unverifiable', decidedAt: now - 6 * 24 * HOUR_MS }),
  );
  const seed = await readVerdicts(engine.clickhouse);
  const of = (ip: string) => seed.filter(({ clientIp }) => clientIp === ip);
  expect(of('192.0.2.2')).toEqual([
    { family: 'Google', clientIp: '192.0.2.2', status: 'spoofed', decidedAt: now },
  ]);
  expect(of('192.0.2.1')[0]).toMatchObject({ status: 'verified' });
  expect(of('2001:db8::1')).toHaveLength(1);
  expect(of('192.0.2.3')).toEqual([]);
  expect(of('192.0.2.4')).toEqual([]);
  expect(of('192.0.2.5')).toHaveLength(1);
});
