import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebsiteContext, WebsiteRead } from '../../services/api/operation.js';
import { getBots } from '../../services/api/operations/traffic/get-bots.js';
import { getBotsAccess } from '../../services/api/operations/traffic/get-bots-access.js';
import { getDevices } from '../../services/api/operations/traffic/get-devices.js';
import { getGeography } from '../../services/api/operations/traffic/get-geography.js';
import { getIps } from '../../services/api/operations/traffic/get-ips.js';
import { getPaths } from '../../services/api/operations/traffic/get-paths.js';
import { getReferrers } from '../../services/api/operations/traffic/get-referrers.js';
import { getStatusCodes } from '../../services/api/operations/traffic/get-status-codes.js';
import { getSummary } from '../../services/api/operations/traffic/get-summary.js';
import { getTraffic } from '../../services/api/operations/traffic/get-traffic.js';
import { resolveScope } from '../../services/api/parameters.js';
import { previousWindow, type Window } from '../../shared/queries/scope.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { insertStored, type StoredRequest } from '../harness/stored-requests.js';
import type { Truth } from './counting.js';
import * as botAnswers from './expected-bots.js';
import * as trafficAnswers from './expected-traffic.js';
import * as visitorAnswers from './expected-visitors.js';
import { laterVerdicts, NOW, randomRequests, type Verdict } from './random-requests.js';
import { differences } from './same-answer.js';

/**
 * Every read against a count made one by one over the same rows: two websites' random requests, inserted out of
 * order in several batches, with verdicts that came after the rows. The second website shares addresses, paths and
 * bots with the first, so one leaked row is one difference.
 */

const websites = ['shop', 'rival'];
const BATCHES = 6;
/** Long enough to outlive this test, short enough to end before DateTime does (2106). */
const RETENTION_DAYS = 25_000;

let engine: TestClickHouse;
let requests: Record<string, StoredRequest[]>;
let verdicts: Verdict[];

beforeAll(async () => {
  engine = await startTestClickHouse();
  requests = {
    shop: randomRequests('shop', 14_000, 20_261_103),
    rival: randomRequests('rival', 5_000, 7),
    silent: [],
  };
  const all = [...requests.shop!, ...requests.rival!].map((request) => ({ ...request, received_at: NOW }));
  for (let batch = 0; batch < BATCHES; batch++) {
    await insertStored(
      engine.clickhouse,
      all.filter((_, index) => (index * 7) % BATCHES === batch),
      { deduplicationToken: `batch-${batch}`, retentionDays: RETENTION_DAYS },
    );
  }
  verdicts = laterVerdicts(all);
  await insertVerdicts(verdicts);
});
afterAll(() => engine?.stop());

/** Each family and address first gets the opposite verdict: the later one counts. */
async function insertVerdicts(given: readonly Verdict[]): Promise<void> {
  const decided = Math.floor(Date.now() / 1000);
  const opposite = { verified: 'spoofed', spoofed: 'verified', unverifiable: 'verified' } as const;
  const line = ({ bot_family, client_ip }: Verdict, status: string, at: number) =>
    `${bot_family}\t${client_ip}\t${status}\t${at}\n`;
  for (const [token, rows] of [
    ['revised', given.map((verdict) => line(verdict, opposite[verdict.status], decided - 60))],
    ['final', given.map((verdict) => line(verdict, verdict.status, decided))],
  ] as const) {
    await engine.clickhouse.insert({
      table: 'bot_verdicts',
      columns: ['bot_family', 'client_ip', 'status', 'decided_at'],
      rows: Buffer.from(rows.join('')),
      deduplicationToken: token,
    });
  }
}

type AnyOperation = WebsiteRead;

function contextOf(websiteId: string): WebsiteContext {
  return {
    website: { id: websiteId },
    now: NOW,
    services: {
      reader: engine.clickhouse,
      slowReads: {
        answer: async (_key: string, read: (timeoutMs: number) => Promise<unknown>) => ({
          ready: true,
          value: await read(30_000),
        }),
      },
    },
  } as unknown as WebsiteContext;
}

function truthOf(websiteId: string, input: Parameters<typeof resolveScope>[0]): Truth {
  const { window, countries } = resolveScope(input, contextOf(websiteId));
  const before = previousWindow(window);
  const rowsOf = ({ start, end }: Window) =>
    requests[websiteId]!.filter(
      (row) =>
        row.timestamp >= start &&
        row.timestamp < end &&
        (countries.length === 0 || countries.includes(row.country)),
    );
  return { now: rowsOf(window), before: rowsOf(before), window, previousWindow: before, verdicts };
}

const windows: Record<string, Record<string, string>> = {
  'the last hour': { hours: '1' },
  'the last 24 hours': { hours: '24' },
  'part of one hour': { start: '2026-11-03T10:05:00Z', end: '2026-11-03T10:55:00.500Z' },
  'a week of whole days over the end of a month': { start: '2026-10-28', end: '2026-11-03' },
  'cut days far apart': { start: '2026-10-02T23:59:59.999Z', end: '2026-11-02T12:00:00.001Z' },
};

const LIMIT = 150;

const reads: [string, AnyOperation, Record<string, string>, (truth: Truth) => unknown][] = [
  ['summary', getSummary, {}, trafficAnswers.summary],
  ['traffic', getTraffic, {}, trafficAnswers.traffic],
  ['status-codes', getStatusCodes, {}, trafficAnswers.statusCodes],
  ['bots', getBots, {}, (truth) => botAnswers.bots(truth, false)],
  ['bots by variant', getBots, { split_variants: 'yes' }, (truth) => botAnswers.bots(truth, true)],
  ['bots/access', getBotsAccess, {}, botAnswers.botsAccess],
  ['paths', getPaths, { limit: `${LIMIT}` }, (truth) => trafficAnswers.paths(truth, LIMIT)],
  ['geography', getGeography, {}, visitorAnswers.geography],
  ['ips', getIps, { limit: `${LIMIT}` }, (truth) => visitorAnswers.ips(truth, LIMIT)],
  ['referrers', getReferrers, { limit: '4' }, (truth) => visitorAnswers.referrers(truth, 4)],
  ['devices', getDevices, {}, visitorAnswers.devices],
] as [string, AnyOperation, Record<string, string>, (truth: Truth) => unknown][];

async function expectTrue(
  websiteId: string,
  [, operation, own, expected]: (typeof reads)[number],
  given: Record<string, string>,
): Promise<Truth> {
  const input = operation.query.parse({ ...given, ...own }) as unknown as Parameters<typeof resolveScope>[0];
  const truth = truthOf(websiteId, input);
  const answer = await operation.run(input as never, contextOf(websiteId));
  expect(differences(answer, expected(truth))).toEqual([]);
  return truth;
}

describe.each(reads.map((read) => [read[0], read] as const))('%s equals a count over the rows', (_, read) => {
  for (const [name, window] of Object.entries(windows)) {
    test.each(websites)(`${name}, website %s`, async (websiteId) => {
      const truth = await expectTrue(websiteId, read, window);
      expect(truth.now.length).toBeGreaterThan(0);
      expect(truth.now.length).toBeLessThan(requests[websiteId]!.length);
    });

    test(`${name}, for two countries`, async () => {
      const truth = await expectTrue('shop', read, { ...window, countries: 'de,fr' });
      expect(truth.now.length).toBeGreaterThan(0);
    });
  }

  test('a website without a request gets zeros and empty lists', async () => {
    await expectTrue('silent', read, { hours: '24' });
  });
});
