import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../shared/durations.js';
import { insightIdOf } from '../../../../shared/reads/insights/insight-key.js';
import { insertInsight } from '../../../../shared/reads/insights/insight-rows.js';
import { createTestApi, TEST_NOW, type TestApi, uncounted } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ clickhouse: engine.clickhouse, usage: uncounted });
});
afterAll(() => engine?.stop());

async function store(
  websiteId: string,
  daysAgo: number,
  { page = '/', filters = '{}', content = 'All is well.' } = {},
) {
  const createdAt = TEST_NOW - daysAgo * DAY_MS;
  const key = { websiteId, page, filters };
  const day = new Date(createdAt).toISOString().slice(0, 10);
  await insertInsight(engine.clickhouse, {
    ...{ ...key, id: insightIdOf(key, day), content, createdAt, model: 'm' },
    period: { start: Date.UTC(2026, 10, 14, 12), end: Date.UTC(2026, 10, 21, 12) },
    ...{ toolsUsed: ['summary', 'paths'], inputTokens: 4_210, outputTokens: 310 },
  });
}

const read = async (query: Record<string, string> = {}) => {
  const { status, body } = await test.read(`/insights?${new URLSearchParams(query)}`);
  return { status, body };
};

describe('insights', () => {
  it('are empty if none was written, for any page and filters', async () => {
    expect(await read()).toEqual({ status: 200, body: { insights: [] } });
    const asked = { page: '/nobody', filters: '{"any":["thing"]}' };
    expect(await read(asked)).toEqual({ status: 200, body: { insights: [] } });
  });

  it('are returned as written, newest first, at most ten, one a day', async () => {
    for (let daysAgo = 12; daysAgo > 0; daysAgo--) await store(test.website.id, daysAgo);
    await store(test.website.id, 0.75, { content: 'Written again.' });
    const { body } = await read();
    expect(body.insights).toHaveLength(10);
    expect(body.insights[0]).toEqual({
      id: insightIdOf({ websiteId: test.website.id, page: '/', filters: '{}' }, '2026-11-20'),
      page: '/',
      period: '2026-11-14T12:00:00Z/2026-11-21T12:00:00Z',
      filters: {},
      content: 'Written again.',
      tools_used: ['summary', 'paths'],
      ...{ input_tokens: 4_210, output_tokens: 310, created_at: '2026-11-20T18:00:00.000Z' },
    });
    const times = body.insights.map(({ created_at }: any) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('are found only by their page and filters, in any order', async () => {
    await store(test.website.id, 0, { page: '/blog', filters: '{"countries":"DE","hours":24}' });
    const filters = '{ "hours": 24, "countries": "DE" }';
    expect((await read({ page: '/blog', filters })).body.insights).toMatchObject([
      { page: '/blog', filters: { countries: 'DE', hours: 24 } },
    ]);
    expect((await read({ page: '/blog' })).body.insights).toEqual([]);
    expect((await read({ page: '/Blog', filters })).body.insights).toEqual([]);
    expect((await read({ filters })).body.insights).toEqual([]);
  });

  it('of another organisation are not shown', async () => {
    await store(test.foreignWebsite.id, 0);
    const { status } = await test.request(`/public/v1/websites/${test.foreignWebsite.id}/insights`);
    expect(status).toBe(404);
  });

  it.each([
    ['filters', '[]'],
    ['filters', 'null'],
    ['filters', '{"a":1,"a":2}'],
    ['filters', '{"__proto__":{}}'],
    ['filters', '{"a":'.repeat(300)],
    ['filters', `{"a":"${'x'.repeat(3_000)}"}`],
    ['page', 'blog'],
    ['page', `/${'x'.repeat(3_000)}`],
  ])('with hostile %s are refused with that name', async (name, value) => {
    const { status, body } = await read({ [name]: value });
    expect(status).toBe(400);
    expect(body.detail).toMatch(new RegExp(`^${name}: `));
  });
});
