import { z } from '@hono/zod-openapi';
import { expect, it, vi } from 'vitest';
import type { ClickHouseReader, Query } from '../../../shared/clickhouse/client.js';
import { createTestApi, uncounted } from '../../../test/harness/api.js';
import { websiteRead } from '../operation.js';

const STATEMENTS = 10;

/** An operation of ten statements, everyday ones or scans, on a store that answers when it is told to. */
async function setUp(scan: Pick<Query<unknown>, 'scan'> = {}) {
  const running: { websiteId: string; end: (error?: Error) => void }[] = [];
  const reader: ClickHouseReader = {
    read: ({ params }) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => {
          running.splice(running.indexOf(one), 1);
          if (error === undefined) resolve([]);
          else reject(error);
        };
        const one = { websiteId: String(params.websiteId), end };
        running.push(one);
      }),
  };
  const operation = websiteRead({
    id: 'many',
    tag: 'Test',
    summary: 's',
    description: 'd',
    path: '/many',
    query: z.object({}),
    answer: z.object({}),
    async run(_, { website, services }) {
      const query = { name: 'q', sql: '', params: { websiteId: website.id }, row: z.unknown(), ...scan };
      await Promise.all(Array.from({ length: STATEMENTS }, () => services.reader.read(query)));
      return {};
    },
  });
  const test = await createTestApi({ reader, operations: [operation], usage: uncounted });
  const own = () => test.read('/many');
  const foreign = () =>
    test.request(`/public/v1/websites/${test.foreignWebsite.id}/many`, { key: test.keys.foreign });
  const runningOf = (websiteId: string) => running.filter((one) => one.websiteId === websiteId).length;
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  return { test, running, own, foreign, runningOf, settled };
}

it('an organisation runs two everyday reads at once, and another one finds the store free', async () => {
  const { test, running, own, foreign, runningOf, settled } = await setUp();
  const calls = [own(), own(), own()];
  await settled();
  expect(runningOf(test.website.id)).toBe(2);
  calls.push(foreign());
  await vi.waitFor(() => expect(runningOf(test.foreignWebsite.id)).toBe(2));
  for (let done = 0; done < 4 * STATEMENTS; done++) {
    await vi.waitFor(() => expect(running.length).toBeGreaterThan(0));
    expect(runningOf(test.website.id)).toBeLessThanOrEqual(2);
    running[0]!.end();
  }
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it('a read that fails lets the next one run', async () => {
  const { running, own, settled } = await setUp();
  const call = own();
  for (let done = 0; done < STATEMENTS; done++) {
    await vi.waitFor(() => expect(running.length).toBeGreaterThan(0));
    running[0]!.end(new Error('broken'));
  }
  expect((await call).status).toBe(500);
  await settled();
  expect(running).toEqual([]);
});

it('what would wait beyond its bounds is 503 with Retry-After, and no other organisation notices', async () => {
  const { test, running, own, foreign, runningOf, settled } = await setUp();
  const calls = Array.from({ length: 40 }, own);
  const refused = await Promise.race(calls);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  const other = foreign();
  await vi.waitFor(() => expect(runningOf(test.foreignWebsite.id)).toBe(2));
  while (running.length > 0) {
    running[0]!.end();
    if (running.length === 0) await settled();
  }
  expect((await other).status).toBe(200);
  await Promise.all(calls);
});

it('scans wait for places of their own, and not here', async () => {
  const { running, own } = await setUp({ scan: {} });
  const call = own();
  await vi.waitFor(() => expect(running).toHaveLength(STATEMENTS));
  for (const { end } of [...running]) end();
  expect((await call).status).toBe(200);
});
