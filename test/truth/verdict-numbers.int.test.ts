import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebsiteContext } from '../../services/api/operation/operation.js';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { MOST_IN_STATEMENT } from '../../shared/reads/sql/late-verdicts.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { casesFor } from '../harness/runs.js';
import { insertStored } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';
import { laterVerdicts, NOW, randomRequests } from './random-requests.js';
import { differences } from './same-answer.js';
import { crawlerReads, segmentReads, unsegmentedReads } from './true-reads.js';
import { truthWorldOf } from './truth-world.js';

/**
 * Reads of a website with no, few and many late verdicts, compared with a scan. Few verdicts are in the statements, and many are joined.
 * The same process reads before and after each change, so no state of the verdicts outlives it.
 */

const requests = { shop: randomRequests('shop', 8_000, 50) };
const verdicts = laterVerdicts(requests.shop);
const FEW = 100;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const rows = requests.shop.map((request) => ({ ...request, received_at: NOW }));
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'rows', retentionDays: 25_000 });
}, 120_000);
afterAll(() => engine?.stop());

/** Stores the verdicts from one place of the list to another. Each claim first gets another verdict, in a part of its own. */
async function store(from: number, to: number) {
  const insert = (decidedAt: number, other: boolean) =>
    insertVerdicts(
      engine.clickhouse,
      verdicts.slice(from, to).map(({ bot_family: family, client_ip: clientIp, status }) => ({
        ...{ websiteId: 'shop', family, clientIp, decidedAt },
        status: other ? (status === 'spoofed' ? 'verified' : 'spoofed') : status,
      })),
      `${from}-${to}-${decidedAt}`,
    );
  await insert(NOW - 2, true);
  await insert(NOW - 1, false);
}

const reads = [...segmentReads, ...unsegmentedReads, ...crawlerReads];
const scopes = [
  { hours: '48' },
  { hours: '720', countries: 'DE,US' },
  { hours: '168', bot_verified: 'false' },
  { hours: '720' },
];

test('there are more verdicts than a statement contains', () => {
  expect(verdicts.length).toBeGreaterThan(MOST_IN_STATEMENT);
  expect(2 * FEW).toBeLessThan(MOST_IN_STATEMENT);
});

describe.each([
  ['no', 0, 0],
  ['few', 0, FEW],
  ['many', FEW, verdicts.length],
])('with %s late verdicts', (name, from, to) => {
  beforeAll(() => (from < to ? store(from, to) : undefined), 60_000);
  const joined: string[] = [];

  test.each(reads.map((read, index) => [read.name, read, index] as const))(
    '%s',
    async (_, { operation, parameters, expected }, index) => {
      const world = truthWorldOf(engine, {
        requests,
        verdicts: verdicts.slice(0, to),
        now: NOW,
        domain: 'www.example.com',
      });
      for (const given of casesFor(index, scopes, 1)) {
        const asked = operation.query.safeParse({ ...given, ...parameters });
        const input = asked.success ? asked.data : operation.query.parse({ hours: '720', ...parameters });
        const context = world.contextOf('shop');
        const reader: ClickHouseReader = {
          read(query) {
            if (query.name === 'summary.bots' && query.sql.includes('claim_verdicts'))
              joined.push(query.name);
            return engine.clickhouse.read(query);
          },
        };
        const answer = await operation.run(
          input as never,
          { ...context, services: { ...context.services, reader } } as WebsiteContext,
        );
        expect(differences(answer, expected(world.truthOf('shop', input as unknown as ScopeInput)))).toEqual(
          [],
        );
      }
    },
  );

  test('only many verdicts are joined', () => {
    expect(joined.length > 0).toBe(name === 'many');
  });
});
