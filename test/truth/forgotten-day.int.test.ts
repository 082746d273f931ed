import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countDays, type ForgottenDays, forgetDays } from '../../deploy/admin/rows/forget-days.js';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { DAY_MS } from '../../shared/durations.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { startTestClickHouse } from '../harness/clickhouse.js';
import { casesFor, isNightly } from '../harness/runs.js';
import { insertStored, type StoredRequest } from '../harness/stored-requests.js';
import { NOW, randomRequests } from './random-requests.js';
import { differences } from './same-answer.js';
import { crawlerReads, segmentReads, unsegmentedReads } from './true-reads.js';
import { type TruthWorld, truthWorldOf } from './truth-world.js';

/**
 * Removes a day of a website. Every read then equals a count over the other days (docs/import.md, "Taking
 * days out again").
 */

/** The last day of a month: the next day is in another partition. */
const DAY = '2026-10-31';
const START = Date.parse(DAY);
const ofDay = ({ timestamp }: StoredRequest) => timestamp >= START && timestamp < START + DAY_MS;

/** Dense around the day, and on both of its edges to the millisecond. */
function requestsOf(websiteId: string, seed: number): StoredRequest[] {
  const edges = [START - 1, START, START + DAY_MS - 1, START + DAY_MS];
  return randomRequests(websiteId, 3_000, seed).map((request, index) => ({
    ...request,
    timestamp: edges[index] ?? START - DAY_MS + ((index * 7_919_123) % (3 * DAY_MS)),
    received_at: NOW,
    source: index % 2 === 0 ? 'loglane' : 'combined',
    ...(request.bot_verification === 'pending' ? { bot_verification: 'unverifiable' as const } : {}),
  }));
}

const all: Record<string, StoredRequest[]> = {
  shop: requestsOf('shop', 3),
  rival: requestsOf('rival', 4),
  halved: requestsOf('halved', 5),
  torn: requestsOf('torn', 6),
  late: requestsOf('late', 7),
};
const left: Record<string, StoredRequest[]> = {};
let world: TruthWorld;
let clickhouse: ClickHouse;
let ids = 0;
const options = { newId: () => `attempt-${ids++}`, logger: pino({ level: 'silent' }) };
const days = (websiteId: string, given: Partial<ForgottenDays> = {}): ForgottenDays => ({
  ...{ websiteId, from: DAY, to: DAY, source: null, receivedBy: NOW + 1_000 },
  ...given,
});

beforeAll(async () => {
  const engine = await startTestClickHouse();
  clickhouse = engine.clickhouse;
  Object.assign(left, all);
  world = truthWorldOf(engine, { requests: left, verdicts: [], now: NOW, domain: 'www.example.com' });
  for (const [websiteId, requests] of Object.entries(all))
    await insertStored(clickhouse, requests, { deduplicationToken: websiteId, retentionDays: 25_000 });
}, 300_000);
afterAll(() => world?.stop());

const windows = [{ start: '2026-10-30T10:30:00Z', end: '2026-11-01T12:20:00Z' }];

const reads = [...segmentReads, ...unsegmentedReads, ...crawlerReads];
let asked = 0;

/** Reads over whole and cut windows equal a count over `left`. */
async function expectTrue(websiteId: string): Promise<void> {
  for (const given of windows)
    for (const { name, operation, parameters, expected } of casesFor(asked++, reads, 16)) {
      const input = operation.query.parse({ ...given, ...parameters });
      const truth = world.truthOf(websiteId, input as unknown as ScopeInput);
      const answer = await operation.run(input as never, world.contextOf(websiteId));
      expect(differences(answer, expected(truth)), `${websiteId} ${name} ${given.start}`).toEqual([]);
    }
}

describe('a removed day of a website', () => {
  test('does not appear in any read, and other days and websites are unchanged', async () => {
    await expectTrue('shop');
    const gone = all.shop!.filter(ofDay).length;
    expect(gone).toBeGreaterThan(500);
    expect(await countDays(clickhouse, days('shop'))).toMatchObject({ requests: gone });
    expect(await forgetDays(clickhouse, days('shop'), options)).toBe(gone);
    left.shop = all.shop!.filter((row) => !ofDay(row));
    await expectTrue('shop');
    await expectTrue('rival');
    expect(new Set(Object.values(await countDays(clickhouse, days('shop'))))).toEqual(new Set([0]));
  }, 300_000);

  test('is not removed a second time', async () => {
    let commands = 0;
    const counting = { ...clickhouse, command: async () => void commands++ };
    expect(await forgetDays(counting, days('shop'), options)).toBe(0);
    expect(commands).toBe(0);
  });

  test('can be sent again', async () => {
    await insertStored(clickhouse, all.shop!.filter(ofDay), {
      deduplicationToken: 'again',
      retentionDays: 25_000,
    });
    left.shop = all.shop!;
    await expectTrue('shop');
  }, 300_000);

  test.runIf(isNightly)(
    'loses only the rows of one source, if requested',
    async () => {
      const goes = (row: StoredRequest) => ofDay(row) && row.source === 'combined';
      await forgetDays(clickhouse, days('halved', { source: 'combined' }), options);
      left.halved = all.halved!.filter((row) => !goes(row));
      expect(left.halved.filter(ofDay).length).toBeGreaterThan(0);
      await expectTrue('halved');
    },
    300_000,
  );

  test.runIf(isNightly)(
    'keeps rows that were received after the command began',
    async () => {
      await insertStored(
        clickhouse,
        all.late!.filter(ofDay).map((row) => ({ ...row, received_at: NOW + 5_000 })),
        { deduplicationToken: 'later', retentionDays: 25_000 },
      );
      await forgetDays(clickhouse, days('late'), options);
      await expectTrue('late');
    },
    300_000,
  );

  test.runIf(isNightly)(
    'is removed if the command was interrupted between any two statements and repeated',
    async () => {
      for (const limit of [1, 13, 40]) {
        let statements = limit;
        const cutOff = {
          ...clickhouse,
          async command(...call: Parameters<ClickHouse['command']>) {
            if (statements-- <= 0) throw new Error('cut off');
            await clickhouse.command(...call);
          },
        };
        await forgetDays(cutOff, days('torn'), options).catch((error: Error) =>
          expect(error.message).toBe('cut off'),
        );
      }
      await forgetDays(clickhouse, days('torn'), options);
      left.torn = all.torn!.filter((row) => !ofDay(row));
      await expectTrue('torn');
    },
    300_000,
  );
});
