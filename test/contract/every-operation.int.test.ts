import { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../services/api/operation.js';
import { operations } from '../../services/api/operations/list.js';
import { answerOf, pathOf } from '../../services/api/routes.js';
import { createTestApi, TEST_NOW, type TestApi } from '../harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../harness/stored-requests.js';

/** Every operation's answer, on real rows and on none, is what its own schema says: nothing missing, nothing extra. */

let engine: TestClickHouse;
let test: TestApi;
let emptyWebsiteId: string;

const HOUR_MS = 3_600_000;

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  emptyWebsiteId = (
    await test.request('/public/v1/websites', { method: 'POST', body: { domain: 'empty.example' } })
  ).body.website_id;
  await insertStored(engine.clickhouse, trafficOf(test.website.id), { deduplicationToken: 'shop' });
  await insertStored(engine.clickhouse, trafficOf(test.foreignWebsite.id), { deduplicationToken: 'rival' });
});
afterAll(() => engine?.stop());

/** Some of every kind, in the last three hours and in the period before. */
function trafficOf(website_id: string) {
  return Array.from({ length: 120 }, (_, index) => {
    const at = {
      website_id,
      timestamp: TEST_NOW - 60_000 - index * Math.floor(HOUR_MS / 4),
      log_index: index,
      path: `/page/${index % 7}`,
      status: [200, 200, 301, 404, 500, 403, 200][index % 7]!,
    };
    if (index % 5 === 0) return storedRequest({ ...at, ...googlebot });
    if (index % 5 === 1) {
      return storedRequest({
        ...at,
        ...googlebot,
        client_ip: '2001:db8::7',
        bot_verification: index % 2 === 0 ? 'spoofed' : 'pending',
      });
    }
    if (index % 5 === 2) {
      return storedRequest({
        ...at,
        referrer: 'https://chatgpt.com/',
        referrer_domain: 'chatgpt.com',
        referrer_class: 'ai',
        ai_operator: 'OpenAI',
        time_taken_ms: null,
      });
    }
    return storedRequest(at);
  });
}

const pathExamples: Record<string, string> = { ip_address: '192.0.2.7' };
const bodies: Record<string, unknown> = {
  createWebsite: { domain: 'https://Shop.example.com/start', name: 'Shop' },
};

function addressOf(operation: Operation, websiteId: string): string {
  return pathOf(operation)
    .replace('{website_id}', websiteId)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => pathExamples[name]!);
}

/** Objects that refuse what they do not know, all the way down. */
function expectExactly(operation: Operation, body: unknown): void {
  const parsed = answerOf(operation).safeParse(body);
  expect(parsed.error === undefined ? null : z.prettifyError(parsed.error)).toBeNull();
  // zod drops what a schema does not name: a difference is a field that the document hides.
  expect(parsed.data).toEqual(body);
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('answers as documented', async () => {
    const answer = await test.request(addressOf(operation, test.website.id), {
      method: operation.method.toUpperCase(),
      ...(operation.method === 'post' ? { body: bodies[id] } : {}),
    });
    expect(answer.body?.detail).toBeUndefined();
    expect(answer.status).toBe(200);
    expectExactly(operation, answer.body);
  });

  it.runIf(operation.kind === 'website')(
    'answers as documented for a website without a single request',
    async () => {
      const answer = await test.request(addressOf(operation, emptyWebsiteId));
      expect(answer.status).toBe(200);
      expectExactly(operation, answer.body);
    },
  );

  it.runIf(operation.method === 'get')('caps its lists at max_rows and says so as documented', async () => {
    const address = addressOf(operation, test.website.id);
    const capped = await test.request(`${address}?max_rows=1`);
    expect(capped.status).toBe(200);
    expectExactly(operation, capped.body);
    const { _truncated, ...rest } = capped.body;
    for (const value of Object.values(rest)) if (Array.isArray(value)) expect(value.length).toBeLessThan(2);
    const whole = await test.request(address);
    for (const [name, value] of Object.entries(whole.body)) {
      if (!Array.isArray(value)) continue;
      expect(_truncated?.original_counts?.[name], name).toBe(value.length > 1 ? value.length : undefined);
    }
  });

  it.runIf(operation.kind === 'website')("shows nothing of another organisation's website", async () => {
    const answer = await test.request(addressOf(operation, test.website.id));
    expect(answer.text).not.toContain(test.foreignWebsite.id);
    expect(answer.text).not.toContain(test.foreignWebsite.domain);
  });
});
