import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { casesFor } from '../harness/runs.js';
import type { Truth } from './counting.js';
import { differences } from './same-answer.js';
import { crawlerReads, segmentReads, type TrueRead, unsegmentedReads, windows } from './true-reads.js';
import { startTruthWorld, type TruthWorld } from './truth-world.js';

/** Compares every read with a count made one by one over the same rows (truth-world.ts). */

const websites = ['shop', 'rival'];

let world: TruthWorld;
beforeAll(async () => {
  world = await startTruthWorld();
});
afterAll(() => world?.stop());

async function expectTrue(
  websiteId: string,
  { operation, parameters, expected }: TrueRead,
  given: Record<string, string>,
): Promise<Truth> {
  const input = operation.query.parse({ ...given, ...parameters });
  // Parameters that the read interprets itself are excluded; `expected` handles them.
  const common = Object.entries(input).filter(([name]) => !(name in parameters));
  const truth = world.truthOf(websiteId, Object.fromEntries(common) as unknown as ScopeInput);
  const answer = await operation.run(input as never, world.contextOf(websiteId));
  expect(differences(answer, expected(truth))).toEqual([]);
  return truth;
}

test('the requests are of every class and their claims of every verification', () => {
  const kinds = world.requests.shop!.map((row) => `${row.traffic_class} ${row.bot_verification}`);
  expect(new Set(kinds)).toEqual(
    new Set([
      'human ',
      ...['verified', 'pending'].flatMap((claim) => [
        `search_bot ${claim}`,
        `ai_bot ${claim}`,
        `other_bot ${claim}`,
      ]),
      'spoofed_bot spoofed',
      'undeclared_agent undeclared',
      'ai_bot unverifiable',
      'other_bot unverifiable',
    ]),
  );
});

/** Each window of each website, and of two countries. */
const windowCases = Object.entries(windows).flatMap(([name, window]) => [
  ...websites.map((websiteId) => [`${name}, website ${websiteId}`, websiteId, window] as const),
  [`${name}, for two countries`, 'shop', { ...window, countries: 'de,fr' }] as const,
]);

/** Each filter that all reads accept, and some combinations. */
const filters: Record<string, string>[] = [
  { host: 'SHOP.example.com:443' },
  { host: 'www.example.com,m.example.com', countries: 'DE,FR', status_category: '2xx' },
  { bot_name: 'googlebot' },
  { bot_family: 'openai' },
  { bot: 'openai' },
  { bot_verified: 'true' },
  { bot_verified: 'false' },
  { status: '404' },
  { file_type: 'html,pdf' },
  { params_filter: 'with_params' },
  { params_filter: 'no_params', status_category: '4xx', countries: 'DE,US', bot_verified: 'true' },
  { status_category: '3xx' },
  { status_category: 'other' },
];

/**
 * A read of one status class refuses a filter by another one, and a read of one crawler the name of another.
 */
const filtersOf = ({ parameters: { filter_type = '', bot } }: TrueRead) =>
  filters
    .filter(
      (filter) => !/^[1-5]xx$/.test(filter_type) || !('status' in filter || 'status_category' in filter),
    )
    .filter((filter) => bot === undefined || !('bot_name' in filter || 'bot_family' in filter));

const reads = [...segmentReads, ...unsegmentedReads, ...crawlerReads];

describe.each(reads.map((read, index) => [read.name, read, index] as const))(
  '%s equals a count over the rows',
  (_, read, index) => {
    test.each(casesFor(index, windowCases, 3))('%s', async (_name, websiteId, window) => {
      const truth = await expectTrue(websiteId, read, window);
      expect(truth.now.length).toBeGreaterThan(0);
      expect(truth.now.length).toBeLessThan(world.requests[websiteId]!.length);
    });

    test.each(casesFor(index, filtersOf(read), 2))('narrowed by %j', async (filter) => {
      const truth = await expectTrue('shop', read, { ...windows['cut days far apart'], ...filter });
      expect(truth.now.length).toBeGreaterThan(0);
    });

    test.each(casesFor(index, filtersOf(read), 1))('of 48 hours, narrowed by %j', async (filter) => {
      await expectTrue('shop', read, { hours: '48', ...filter });
    });

    test('a website without a request gets zeros and empty lists', async () => {
      await expectTrue('silent', read, { hours: '24' });
    });
  },
);
