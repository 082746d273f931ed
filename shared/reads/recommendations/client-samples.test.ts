import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../durations.js';
import type { ClickHouseReader, Query } from '../../store/client.js';
import { readClientSamples } from './client-samples.js';

const HOUR = 500_000;
const at = (hour: number, minute = 0) => (HOUR + hour) * HOUR_MS + minute * MINUTE_MS;

/** @param rows of each statement, by the first of its hours */
async function samplesOf(
  end: number,
  instants: readonly number[],
  rows: (hours: readonly number[]) => { user_agents: string[]; paths: string[] },
) {
  const queries: Query<unknown>[] = [];
  const reader: ClickHouseReader = {
    read: async (query) => {
      queries.push(query);
      const { hours } = query.restsOn as { hours: readonly number[] };
      return [{ client_ip: '192.0.2.1', ...rows(hours.map((hour) => hour - HOUR)) }] as never;
    },
  };
  const samples = await readClientSamples(
    reader,
    { websiteId: 'w', window: { start: end - 48 * HOUR_MS, end, running: true }, filters: {} },
    [{ client_ip: '192.0.2.1', instants }],
  );
  return { queries, sample: samples.get('192.0.2.1') };
}

test('requests between the edges of a window have the same statement while the window moves', async () => {
  const instants = [at(2, 30), at(20), at(46, 59), at(49, 5)];
  const read = (minute: number) =>
    samplesOf(at(49, minute), instants, () => ({ user_agents: [], paths: [] }));
  const [first, later] = [await read(10), await read(50)];
  const middle = ({ queries }: typeof first) => queries.find(({ params }) => !isEdge(params));
  expect(first.queries).toHaveLength(2);
  expect(middle(first)).toMatchObject({
    params: { instants: [at(20), at(46, 59)] },
    restsOn: { websiteId: 'w', hours: [HOUR + 20, HOUR + 46] },
  });
  expect(JSON.stringify(middle(later))).toBe(JSON.stringify(middle(first)));
});

const isEdge = ({ instants }: Query<unknown>['params']) => (instants as number[]).includes(at(2, 30));

test('the samples of both statements are joined in the order of the engine', async () => {
  // The engine compares bytes of UTF-8, in which U+FF5E comes before U+1F600.
  const { sample } = await samplesOf(at(49, 10), [at(20), at(49, 5)], ([hour]) =>
    hour === 20
      ? { user_agents: ['a', 'c'], paths: ['/\u{1F600}', '/b'] }
      : { user_agents: ['a', 'b', 'd'], paths: ['/\uFF5E'] },
  );
  expect(sample).toEqual({ userAgents: ['a', 'b', 'c'], paths: ['/b', '/\uFF5E', '/\u{1F600}'] });
});

test('sightings at the edges alone have one statement', async () => {
  const reader = await samplesOf(at(1), [at(0, 10), at(0, 50)], () => ({ user_agents: [], paths: [] }));
  expect(reader.queries).toHaveLength(1);
});
