import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveScope, type ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { getIpRequests } from '../../services/api/operations/requests/get-ip-requests.js';
import { getLive } from '../../services/api/operations/requests/get-live.js';
import { searchRequests } from '../../services/api/operations/requests/search-requests.js';
import { getSegmentsBreakdown } from '../../services/api/operations/segments/get-segments-breakdown.js';
import { readSegmentBreakdown } from '../../services/api/operations/segments/segments-breakdown-sql.js';
import { inSegment } from '../harness/in-segment.js';
import { casesFor, isNightly } from '../harness/runs.js';
import { isHuman, isNoPerson } from './counting.js';
import { segmentsBreakdown } from './expected-segments.js';
import { differences } from './same-answer.js';
import { ownSegments, segments } from './segments.js';
import { segmentReads, type TrueRead, unsegmentedReads, windows } from './true-reads.js';
import { startTruthWorld, type TruthWorld } from './truth-world.js';

/**
 * Compares every read that accepts a segment with a count over the rows in it (test/harness/in-segment.ts).
 */

let world: TruthWorld;
beforeAll(async () => {
  world = await startTruthWorld(segments);
});
afterAll(() => world?.stop());

const CUT_WINDOW = windows['cut days far apart']!;

/**
 * @param segment the request's segment
 * @param counted the segment of the counted rows
 */
async function expectTrue(
  { operation, parameters, expected }: TrueRead,
  { segment, counted = segment, ...given }: Record<string, string | undefined>,
): Promise<number> {
  const input = operation.query.parse({ ...given, ...parameters, segment });
  const truth = world.truthOf('shop', { ...input, segment: counted } as unknown as ScopeInput);
  const answer = await operation.run(input as never, world.contextOf('shop'));
  expect(differences(answer, expected(truth))).toEqual([]);
  return truth.now.length;
}

describe.each(segmentReads.map((read, index) => [read.name, read, index] as const))(
  '%s of a segment equals a count over its requests',
  (_, read, index) => {
    test.each(casesFor(index, ownSegments, 2).map(({ id }) => id))('%s, over cut days', async (segment) => {
      const counted = await expectTrue(read, { ...CUT_WINDOW, segment });
      if (segment !== 'none') expect(counted).toBeGreaterThan(0);
    });

    test.each(casesFor(index, Object.keys(windows), 1))('%s, for two countries', async (name) => {
      await expectTrue(read, { ...windows[name], countries: 'de,fr', segment: 'paged' });
    });

    test('an id that is unknown or of another website changes nothing', async () => {
      const nothing = { ...CUT_WINDOW, counted: 'unknown' };
      const all = await expectTrue(read, { ...nothing, segment: 'unknown' });
      expect(await expectTrue(read, { ...nothing, segment: 'foreign' })).toBe(all);
    });
  },
);

describe('reads that ignore segments', () => {
  test.each(unsegmentedReads.map((read) => [read.name, read] as const))('%s', async (_, read) => {
    await expectTrue(read, { ...CUT_WINDOW, segment: 'products', counted: 'unknown' });
  });

  test.each([
    ['requests', searchRequests, { ...CUT_WINDOW, limit: '50' }],
    ['ips/{ip}/requests', getIpRequests, { hours: '168' }],
  ] as const)('%s', async (_, operation, given) => {
    const ip_address = world.requests.shop![0]!.client_ip;
    const ask = (segment: object) =>
      operation.run(
        { ...operation.query.parse({ ...given, ...segment }), ip_address } as never,
        world.contextOf('shop'),
      );
    const all = await ask({});
    expect(all.requests?.length).toBeGreaterThan(0);
    expect(await ask({ segment: 'none' })).toEqual(all);
  });
});

describe('live', () => {
  const kinds = { all: () => true, bots: isNoPerson, human: isHuman, errors: isError };
  test.each(['all', 'bots', 'human', 'errors'] as const)(
    'the newest requests of a segment, %s',
    async (type) => {
      const answer = await getLive.run(
        getLive.query.parse({ type, segment: 'paged' }),
        world.contextOf('shop'),
      );
      const paged = ownSegments.find(({ id }) => id === 'paged')!;
      const newest = world.requests
        .shop!.filter((row) => kinds[type](row) && inSegment(paged, row))
        .toSorted((a, b) => b.timestamp - a.timestamp || b.log_index - a.log_index)
        .slice(0, 100);
      expect(newest).toHaveLength(100);
      expect(answer.data_buffering).toBe(false);
      expect(answer.requests?.map(({ timestamp, path }) => [timestamp, path])).toEqual(
        newest.map((row) => [new Date(row.timestamp).toISOString(), row.path]),
      );
    },
  );

  test('an id of another website changes nothing', async () => {
    const ask = (segment: string) => getLive.run(getLive.query.parse({ segment }), world.contextOf('shop'));
    const all = await ask('unknown');
    expect(all.count).toBe(100);
    expect(await ask('foreign')).toEqual(all);
  });
});

type Row = TruthWorld['requests'][string][number];
function isError(row: Row): boolean {
  return row.status >= 400;
}

describe('segments-breakdown equals a count over the rows', () => {
  const ask = async (websiteId: string, given: Record<string, string>) => {
    const input = getSegmentsBreakdown.query.parse(given) as unknown as ScopeInput;
    const answer = await getSegmentsBreakdown.run(input, world.contextOf(websiteId));
    return { answer, truth: world.truthOf(websiteId, input) };
  };
  const archiveFirst = ownSegments.toSorted(
    (a, b) => Number(b.id === 'archive') - Number(a.id === 'archive'),
  );

  test.each(Object.keys(windows))('%s, for two countries, compared', async (name) => {
    const { answer, truth } = await ask('shop', { ...windows[name], countries: 'de,fr', compare: '1' });
    expect(differences(answer, segmentsBreakdown(truth, archiveFirst, true))).toEqual([]);
  });

  test('every segment of the website in order, and none of another one', async () => {
    const { answer, truth } = await ask('shop', {});
    expect(differences(answer, segmentsBreakdown(truth, archiveFirst, false))).toEqual([]);
    expect(
      answer.segments?.find(({ segment_id }) => segment_id === 'paged')?.verified_search_hits,
    ).toBeGreaterThan(0);
  });

  test('only chosen segments, ignoring unknown ones', async () => {
    const { answer } = await ask('shop', { segments: ' paged,unknown,foreign , archive' });
    expect(answer.segments?.map(({ segment_id }) => segment_id)).toEqual(['_all', 'archive', 'paged']);
    const { answer: none } = await ask('shop', { segments: 'unknown' });
    expect(none.segments?.map(({ segment_id }) => segment_id)).toEqual(['_all']);
  });

  /** Twelve have more text than a statement may have. */
  const manySegments = isNightly ? 100 : 12;

  test(`${manySegments} of the largest segments, which are too long for a single statement`, async () => {
    const padding = Array.from({ length: 29 }, (_, index) => ({
      type: 'contains' as const,
      // A thousand characters in encoded form.
      value: `${index}`.padEnd(112, '漢'),
    }));
    const large = Array.from({ length: manySegments }, (_, index) => ({
      rules: [{ type: 'contains' as const, value: `-${index}` }, ...padding],
      excludeRules: padding,
    }));
    const context = world.contextOf('shop');
    const scope = resolveScope({ hours: 240 }, context);
    const { all, segments: found } = await readSegmentBreakdown(
      context.services.reader,
      scope,
      large,
      'verified',
    );
    const rows = world.truthOf('shop', { hours: 240 }).now;
    expect(all.requests).toBe(rows.length);
    expect(found.map(({ requests }) => requests)).toEqual(
      large.map((segment) => rows.filter((row) => inSegment(segment, row)).length),
    );
  });

  test('a website without requests or segments', async () => {
    const { answer, truth } = await ask('silent', { compare: 'yes' });
    expect(differences(answer, segmentsBreakdown(truth, [], true))).toEqual([]);
  });
});
