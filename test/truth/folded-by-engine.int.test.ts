import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebsiteContext } from '../../services/api/operation/operation.js';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { AnswerTooLongError } from '../../shared/store/store-errors.js';
import { casesFor } from '../harness/runs.js';
import { differences } from './same-answer.js';
import { crawlerReads, segmentReads, unsegmentedReads } from './true-reads.js';
import { startTruthWorld, type TruthWorld } from './truth-world.js';

/**
 * Reads whose lists are folded in this process, on a log with more values than it folds: the engine folds
 * them instead, with the same result.
 */

let world: TruthWorld;
beforeAll(async () => {
  world = await startTruthWorld();
});
afterAll(() => world?.stop());

/** Refuses each read that may be too long, and counts the refusals. */
function refusing(reader: ClickHouseReader) {
  const refused: string[] = [];
  return {
    refused,
    reader: {
      async read(query) {
        if (query.mostRows === undefined) return reader.read(query);
        refused.push(query.name);
        throw new AnswerTooLongError('the answer has too many rows');
      },
    } satisfies ClickHouseReader,
  };
}

const names = [
  'summary',
  'traffic',
  'bots',
  'bots by variant',
  'bots/access',
  'paths',
  'ips',
  'hosts',
  'status-codes',
  'llms',
  'ai-funnel',
  'ai-landing',
  'seo',
];
const reads = [...segmentReads, ...unsegmentedReads, ...crawlerReads].filter(({ name }) =>
  names.includes(name),
);

test('the refused reads are the intended ones', () => {
  expect(reads.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

const scopes = [{ hours: '48' }, { hours: '720', countries: 'DE,US' }];

describe.each(reads.map((read, index) => [read.name, read, index] as const))(
  '%s',
  (_, { operation, parameters, expected }, index) => {
    test.each(casesFor(index, scopes, 1))('within %j', async (given) => {
      const input = operation.query.parse({ ...given, ...parameters });
      const context = world.contextOf('shop');
      const { reader, refused } = refusing(context.services.reader);
      const answer = await operation.run(
        input as never,
        { ...context, services: { ...context.services, reader } } as WebsiteContext,
      );
      expect(refused.length).toBeGreaterThan(0);
      expect(differences(answer, expected(world.truthOf('shop', input as unknown as ScopeInput)))).toEqual(
        [],
      );
    });
  },
);
