import type { ServerResponse } from 'node:http';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { toInsightOrder } from '../../../shared/reads/insights/insight-order.js';
import { readInsights, readTokensOfDay } from '../../../shared/reads/insights/insight-rows.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { calls, fails, type Step, says, startModelServer } from '../../../test/harness/jobs/model-server.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { createInsightMetrics } from './insight-metrics.js';
import { insightsJob } from './insights-job.js';
import { createKnownFacts } from './known-facts.js';
import { pageTools, tools } from './tools.js';

/** Insights of stored rows, by a model that reports the figures correctly and by others. */

const NOW = Date.UTC(2026, 10, 22, 12, 30);
const DAY = '2026-11-22';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  for (const website_id of ['web_1', 'web_2', 'web_3', 'web_4', 'web_5', 'web_6', 'web_7'])
    await insertStored(engine.clickhouse, rowsOf(website_id), { deduplicationToken: website_id });
});
afterAll(() => engine?.stop());

/** 60 requests of each website, in the days before. */
function rowsOf(website_id: string) {
  return Array.from({ length: 60 }, (_, index) => {
    const at = { website_id, timestamp: NOW - HOUR_MS - index * 2 * HOUR_MS, log_index: index };
    const path = index % 3 === 0 ? '/a' : '/obey?no</data>';
    const bot = index % 4 === 0 ? googlebot : {};
    return storedRequest({ ...at, path, status: index % 5 === 0 ? 500 : 200, ...bot });
  });
}

/** The last tool result. */
const dataOf = (asked: any) => JSON.parse(asked.messages.at(-1).content.split('\n')[1]);

/** The reference of one of its facts. */
const referenceTo = (shown: string) => shown.slice(0, shown.indexOf(':'));

/** A model that refers to the data of its tools. */
const truthful = (response: ServerResponse, asked: any) =>
  response.end(JSON.stringify(says(`There were **${referenceTo(dataOf(asked).total_requests)}** requests.`)));
const honest: Step[] = [calls('summary'), truthful, calls('summary'), truthful];

interface Given {
  readonly websiteId?: string;
  readonly now?: number;
  readonly details?: string;
  readonly requested?: boolean;
  readonly tokensPerDay?: number;
  readonly hourlyApiLimit?: number | null;
  readonly signal?: AbortSignal;
  /** null: no model is configured. */
  readonly model?: null;
}

async function run(script: readonly Step[], given: Given = {}) {
  const { websiteId = 'web_1', now = NOW, details = '', requested = false, tokensPerDay = 1_000_000 } = given;
  const { hourlyApiLimit = 100, signal = new AbortController().signal } = given;
  const server = await startModelServer(script);
  const registry = new Registry();
  let id = 0;
  const job = insightsJob({
    ...{
      model: given.model === null ? null : server.model,
      tokensPerDay,
      metrics: createInsightMetrics(registry),
    },
    newId: () => `${server.url}/${id++}`,
  });
  const result = await job
    .run(
      { id: websiteId, domain: 'example.com', organisationId: 'org', createdAt: '' },
      {
        ...{ clickhouse: engine.clickhouse, now: () => now, logger: pino({ level: 'silent' }), signal },
        ...{ requested, details, planOf: () => ({ listedUrls: 1, hourlyApiLimit }) },
        fetch: () => Promise.reject(new Error('nothing is fetched from the website')),
      },
    )
    .catch((error: unknown) => error);
  return { ...server, result, registry };
}

const stored = (websiteId: string, page = '/', filters = '{}') =>
  readInsights(engine.clickhouse, { websiteId, page, filters }, 10);

describe('the job', () => {
  test('writes one insight per website and day, and stores its figures, its window and its tokens', async () => {
    const first = await run(honest);
    expect(first.result).toBeUndefined();
    const [insight, ...others] = await stored('web_1');
    expect(others).toEqual([]);
    expect(insight).toMatchObject({
      content: 'There were **60** requests.',
      period: { start: Date.UTC(2026, 10, 15, 12), end: Date.UTC(2026, 10, 22, 12) },
      ...{ toolsUsed: ['summary'], model: 'test-model', inputTokens: 200, outputTokens: 40, createdAt: NOW },
    });
    const metrics = await first.registry.metrics();
    expect(metrics).toContain('loglane_insights_tokens_total{model="test-model",direction="input"} 200');
    expect(metrics).toContain('loglane_insights_total{outcome="written"} 1');
    expect(await readTokensOfDay(engine.clickhouse, 'web_1', DAY)).toBe(240);

    // A run whose end was not recorded is repeated.
    const again = await run(honest, { now: NOW + HOUR_MS });
    expect(again.asked).toEqual([]);
    const next = await run(honest, { now: NOW + DAY_MS });
    expect(next.asked).toHaveLength(2);
    const both = await stored('web_1');
    expect(both.map(({ createdAt }) => createdAt)).toEqual([NOW + DAY_MS, NOW]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  });

  test('calls no model if the website has no requests or its plan shows no insight', async () => {
    const silent = await run(honest, { websiteId: 'web_silent' });
    expect([silent.result, silent.asked]).toEqual(['nothing_yet', []]);
    const free = await run(honest, { websiteId: 'web_2', hourlyApiLimit: null });
    expect([free.result, free.asked]).toEqual([undefined, []]);
  });

  test('writes a requested insight of a page with filters, and replaces only the one of the same day', async () => {
    const details = toInsightOrder({ page: '/a', filters: '{"params_filter":"no_params","hours":24}' });
    const page: Step[] = [
      calls('page'),
      (response: ServerResponse, asked: any) => {
        const { path, logs, window } = dataOf(asked);
        const [page, requests, hours] = [path, logs.requests, window.hours].map(referenceTo);
        response.end(JSON.stringify(says(`${page} had ${requests} requests in ${hours}.`)));
      },
    ];
    for (const now of [NOW, NOW + HOUR_MS]) {
      const { result, asked } = await run(page, { websiteId: 'web_2', requested: true, details, now });
      expect(result).toBeUndefined();
      expect(asked[0].tools.map((tool: any) => tool.function.name)).toEqual(['page', 'summary']);
    }
    const written = await stored('web_2', '/a', '{"hours":24,"params_filter":"no_params"}');
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({ createdAt: NOW + HOUR_MS, toolsUsed: ['page'] });
    expect(written[0]!.content).toMatch(/^`\/a` had [1-9]\d* requests in 24 hours\.$/);
    expect(await stored('web_2')).toEqual([]);
  });

  test('without a language model writes the recorded facts alone, from the figures of reads', async () => {
    const asked = { websiteId: 'web_7', model: null } as const;
    const details = (recorded: boolean) => toInsightOrder({ page: '/', filters: '{}', recorded });
    await run([], asked);
    await run([], { ...asked, requested: true, details: details(false) });
    expect(await stored('web_7')).toEqual([]);
    expect((await run([], { ...asked, requested: true, details: details(true) })).result).toBeUndefined();
    const [insight] = await stored('web_7');
    expect(insight).toMatchObject({
      model: 'recorded',
      toolsUsed: ['summary', 'bots_access', 'ai_crawlers'],
    });
    expect(insight!.content).toContain('The server failed 12 times, 20 % of 60 requests.');
    expect(insight!.content).toContain('search crawlers 15');
    expect(insight!.content).toContain('The p95 response time was 45 ms.');
  });

  test('discards a wrong figure, stores only its tokens, and is done for the day', async () => {
    const { result, registry } = await run([calls('summary'), says('There were 999 requests.')], {
      websiteId: 'web_3',
    });
    expect(result).toBeUndefined();
    expect(await stored('web_3')).toEqual([]);
    expect(await registry.metrics()).toContain('loglane_insights_total{outcome="discarded"} 1');
    expect(await readTokensOfDay(engine.clickhouse, 'web_3', DAY)).toBe(360);
  });

  test('stops before the budget of the day is exceeded, over all runs of the day', async () => {
    const first = await run(honest, { websiteId: 'web_4', tokensPerDay: 40_000 });
    expect(first.asked).toHaveLength(2);
    const spent = await readTokensOfDay(engine.clickhouse, 'web_4', DAY);
    expect(spent).toBe(240);
    const second = await run(honest, { websiteId: 'web_4', tokensPerDay: spent + 2_000, requested: true });
    expect([second.result, second.asked]).toEqual([undefined, []]);
    expect(await second.registry.metrics()).toContain('loglane_insights_total{outcome="over_budget"} 1');
  });

  test('fails if the model does, so the job is retried', async () => {
    const { result, registry } = await run([fails(500)], { websiteId: 'web_5' });
    expect(result).toMatchObject({ name: 'ModelError', code: 'failed' });
    expect(await registry.metrics()).toContain('loglane_insights_total{outcome="failed"} 1');
  });

  test('ends when its signal fires, and the call under way counts with its maximum', async () => {
    const stopping = new AbortController();
    const hangs = () => stopping.abort(new Error('left to another'));
    const { result } = await run([hangs], { websiteId: 'web_6', signal: stopping.signal });
    expect(String(result)).toContain('left to another');
    expect(await readTokensOfDay(engine.clickhouse, 'web_6', DAY)).toBeGreaterThan(1_500);
    expect(await stored('web_6')).toEqual([]);
  });
});

describe('every tool', () => {
  const scope = {
    reader: () => engine.clickhouse,
    scope: { websiteId: 'web_1', window: { start: NOW - 7 * DAY_MS, end: NOW }, filters: {} },
  };

  test.each([...tools, ...pageTools].map((tool) => [tool.name, tool] as const))(
    '%s returns a short result about the website without client addresses, and accepts no other website',
    async (_name, tool) => {
      const asked = { ...scope, reader: scope.reader(), page: '/a', now: NOW };
      const told = JSON.stringify(createKnownFacts().show(await tool.read({}, asked)));
      expect(told).not.toBe('null');
      expect(told).not.toMatch(/192\.0\.2\.7|66\.249\.66\.1|</);
      await expect(tool.read({ website_id: 'web_2' }, asked)).rejects.toThrow();
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false });
    },
  );
});
