import { z } from '@hono/zod-openapi';
import { Registry } from 'prom-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { PublicError } from '../../shared/errors.js';
import {
  AnswerTooLongError,
  ReadTooLargeError,
  StoreOutOfMemoryError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../shared/store/store-errors.js';
import { createTestApi, type TestApi, untouchedStore } from '../../test/harness/api.js';
import { createApi } from './app.js';
import { type Operation, websiteRead } from './operation/operation.js';
import { segmentParameter } from './operation/parameters.js';
import { createSegment } from './operations/segments/create-segment.js';

const text = { tag: 'Test', summary: 's', description: 'd', query: z.object({}), answer: z.object({}) };

function failing(name: string, error: Error): Operation {
  return websiteRead({
    ...text,
    id: name,
    path: `/${name}`,
    run: (): Promise<never> => Promise.reject(error),
  });
}

const operations: Operation[] = [
  websiteRead({
    ...text,
    id: 'lists',
    path: '/lists',
    answer: z.object({ rows: z.array(z.object({ tags: z.array(z.string()) })), total: z.int() }),
    run: async () => ({ rows: [{ tags: ['a', 'b', 'c'] }, { tags: [] }, { tags: ['d'] }], total: 3 }),
  }),
  websiteRead({
    ...text,
    id: 'echo',
    path: '/echo/{name}',
    query: z.object({ size: z.coerce.number().default(5) }),
    pathParameters: z.object({ name: z.string() }),
    answer: z.object({ name: z.string(), size: z.number(), now: z.number(), website: z.string() }),
    run: async ({ name, size }, { now, website }) => ({
      name: name as string,
      size,
      now,
      website: website.domain,
    }),
  }),
  websiteRead({
    ...text,
    id: 'segmented',
    path: '/segmented',
    query: z.object({ segment: segmentParameter }),
    run: async () => ({}),
  }),
  failing('broken', new Error('password hunter2 at db.internal')),
  failing('away', new StoreUnavailableError('connect ECONNREFUSED 10.0.0.1')),
  failing('slow', new StoreTimeoutError('159')),
  failing('long', new AnswerTooLongError('396')),
  failing('large', new ReadTooLargeError('241')),
  failing('full', new StoreOutOfMemoryError('241')),
  failing('taken', new PublicError('conflict', 'Had one.', { fields: { code: 'trial_used' } })),
  createSegment,
  failing('busy', new PublicError('rate_limited', 'Later.', { retryAfterSeconds: 7 })),
];

let test: TestApi;
let ready = true;
beforeAll(async () => {
  test = await createTestApi({
    reader: untouchedStore,
    operations,
    notReady: () => (ready ? null : 'it starts'),
  });
});

describe('every operation', () => {
  it('gives an operation its parsed input, the website and the clock', async () => {
    const { status, body } = await test.read('/echo/a%2Fb%20c?size=7&unknown=1&segment=seg_1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'a/b c', size: 7, website: 'www.example.com' });
    expect(body.now).toBeTypeOf('number');
  });

  it('names unsupported parameters, because a misspelt filter has no effect', async () => {
    const { headers, body } = await test.read('/echo/a?size=7&contry=DE&segment=seg_1');
    expect(headers.get('x-ignored-parameters')).toBe('contry, segment');
    expect(body._ignored_parameters).toEqual(['contry', 'segment']);
    const all = await test.read('/echo/a?size=7&max_rows=3');
    expect(all.headers.get('x-ignored-parameters')).toBeNull();
    expect(all.body).not.toHaveProperty('_ignored_parameters');
  });

  it('names an unknown segment, because it has no effect', async () => {
    const rules = [{ type: 'prefix', value: '/blog' }];
    const { body } = await test.read('/segments', { method: 'POST', body: { name: 'Blog', rules } });
    const ignored = async (query: string) =>
      (await test.read(`/segmented${query}`)).headers.get('x-ignored-parameters');
    expect(await ignored(`?segment=${body.segment.segment_id}`)).toBeNull();
    expect(await ignored('')).toBeNull();
    expect(await ignored('?segment=seg_none')).toBe('segment');
    expect(await ignored('?segment=')).toBe('segment');
    expect(await ignored('?contry=DE&segment=seg_none')).toBe('contry, segment');
  });

  it('answers HEAD as GET, without a body', async () => {
    const { status, text } = await test.read('/lists', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
  });

  it('applies max_rows to nested lists', async () => {
    const { body } = await test.read('/lists?max_rows=1');
    expect(body).toEqual({
      rows: [{ tags: ['a'] }],
      total: 3,
      _truncated: {
        max_rows: 1,
        original_counts: { rows: 3, 'rows[0].tags': 3 },
        note: expect.any(String),
      },
    });
  });

  it('answers an unknown path with 404 and a detail, with and without a key', async () => {
    for (const key of [test.keys.read, null]) {
      const { status, body } = await test.request('/public/v1/nothing', { key });
      expect(status).toBe(404);
      expect(body).toEqual({ detail: expect.stringContaining('openapi.json') });
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'answers %s on a read with 405 and the allowed methods',
    async (method) => {
      const { status, body, headers } = await test.read('/lists', { method });
      expect(status).toBe(405);
      expect(headers.get('Allow')).toBe('GET, HEAD');
      expect(body).toEqual({ detail: expect.stringContaining('GET, HEAD') });
    },
  );
});

describe('the rate headers for a known key', () => {
  it.each([
    ['an unknown path', '/public/v1/nothing', 'GET', 404],
    ['a method that a path does not support', '/public/v1/websites/{id}/lists', 'PUT', 405],
    ["another organisation's website", '/public/v1/websites/{foreign}/lists', 'GET', 404],
    ['a wrong parameter', '/public/v1/websites/{id}/echo/a?max_rows=x', 'GET', 400],
    ['an unavailable store', '/public/v1/websites/{id}/away', 'GET', 503],
    ['an internal error', '/public/v1/websites/{id}/broken', 'GET', 500],
  ])('on %s show the state of the limit', async (_what, path, method, status) => {
    const at = path.replace('{id}', test.website.id).replace('{foreign}', test.foreignWebsite.id);
    const answer = await test.request(at, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('2000');
    expect(answer.headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
    expect(answer.headers.get('X-RateLimit-Reset')).toBe('2026-11-21T13:00:00.000Z');
    const stranger = await test.request(at, { method, key: test.keys.revoked });
    expect(stranger.headers.get('X-RateLimit-Limit')).toBeNull();
  });

  it('use nothing of the limit if no operation is called', async () => {
    const remaining = async () =>
      (await test.request('/public/v1/nothing')).headers.get('X-RateLimit-Remaining');
    expect(await remaining()).toBe(await remaining());
  });
});

describe('failures', () => {
  it('returns only the request id for an internal error, and logs its cause', async () => {
    const { status, body, text } = await test.read('/broken', { headers: { 'X-Request-Id': 'my-call-1' } });
    expect(status).toBe(500);
    expect(body).toEqual({ detail: 'Internal server error (request my-call-1).' });
    expect(text).not.toContain('hunter2');
    expect(test.logged()).toContain('db.internal');
  });

  it.each(['away', 'slow', 'full'])('answers 503 with Retry-After if the store is %s', async (path) => {
    const { status, body, headers, text } = await test.read(`/${path}`);
    expect(status).toBe(503);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(body).toEqual({ detail: expect.stringContaining('repeat the call') });
    expect(text).not.toContain('ECONNREFUSED');
  });

  it.each(['long', 'large'])(
    'answers 400 and names the parameters to narrow if an answer is too %s',
    async (path) => {
      const { status, body, headers } = await test.read(`/${path}`);
      expect([status, headers.get('Retry-After')]).toEqual([400, null]);
      expect(body).toEqual({ detail: expect.stringMatching(/narrow the window.*filter/) });
    },
  );

  it("sends an error's own Retry-After", async () => {
    const { status, headers, body } = await test.read('/busy');
    expect([status, headers.get('Retry-After'), body]).toEqual([429, '7', { detail: 'Later.' }]);
  });

  it("adds an error's own fields to its detail", async () => {
    const { status, body } = await test.read('/taken');
    expect([status, body]).toEqual([409, { detail: 'Had one.', code: 'trial_used' }]);
  });
});

describe('request ids and the access log', () => {
  it('returns the id of the caller, and makes one if it is missing or unfit for the log', async () => {
    const idOf = async (headers: Record<string, string>) =>
      (await test.read('/lists', { headers })).headers.get('X-Request-Id');
    expect(await idOf({ 'X-Request-Id': 'trace:1/2' })).toBe('trace:1/2');
    expect(await idOf({})).toBe('request-1');
    expect(await idOf({ 'X-Request-Id': 'x'.repeat(200) })).toBe('request-1');
    expect(await idOf({ 'X-Request-Id': 'a b' })).toBe('request-1');
  });

  it('writes one line per request with caller and operation, and without the key', async () => {
    await test.read('/echo/x?size=1', { headers: { 'X-Request-Id': 'line-1' } });
    const lines = test
      .logged()
      .split('\n')
      .filter((line) => line.includes('"line-1"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      request_id: 'line-1',
      method: 'GET',
      path: expect.stringMatching(/\/echo\/x$/),
      status: 200,
      operation: 'echo',
      organisation_id: test.website.organisationId,
      api_key_id: expect.stringMatching(/^key_/),
    });
    await test.request('/public/v1/websites', { key: test.keys.ingest });
    for (const key of Object.values(test.keys)) expect(test.logged()).not.toContain(key);
    expect(test.logged()).not.toMatch(/Bearer/i);
  });
});

describe('health, metrics and documents', () => {
  it('is always alive, and ready when the process reports it', async () => {
    expect((await test.request('/healthz', { key: null })).status).toBe(200);
    expect((await test.request('/readyz', { key: null })).status).toBe(200);
    ready = false;
    const answer = await test.request('/readyz', { key: null });
    expect([answer.status, answer.body]).toEqual([503, { status: 'not ready', reason: 'it starts' }]);
    expect((await test.request('/healthz', { key: null })).status).toBe(200);
    ready = true;
  });

  it('adds the given fields to its readiness', async () => {
    const about = () => ({ crawler_tables: { table: 'crawlers-2026-11' } });
    const telling = createApi({ ...test.options, registry: new Registry(), about });
    const answer = await telling.request('/readyz');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready', ...about() }]);
  });

  it('counts requests by operation and status', async () => {
    await test.read('/lists');
    await test.read('/lists', { key: null });
    const text = await test.options.registry.metrics();
    expect(text).toMatch(/loglane_api_requests_total\{operation="lists",status="200"\} \d+/);
    expect(text).toMatch(/loglane_api_requests_total\{operation="lists",status="401"\} \d+/);
    expect(text).toMatch(/loglane_api_requests_total\{operation="none",status="404"\} \d+/);
    expect(text).toMatch(/loglane_api_request_duration_seconds_count\{operation="lists",status="200"\} \d+/);
  });

  it('serves /metrics only on its own port', async () => {
    expect((await test.request('/metrics', { key: null })).status).toBe(404);
  });

  it('serves the OpenAPI document without a key', async () => {
    const { status, body } = await test.request('/public/v1/openapi.json', { key: null });
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
  });

  it.each([
    ['/', 'https://api.example/public/v1/docs'],
    ['/public/v1', 'https://api.example/public/v1/docs'],
  ])('leads from %s to the readable page, behind any proxy path', async (path, page) => {
    const { status, headers } = await test.request(path, { key: null });
    expect(status).toBe(302);
    const location = headers.get('Location')!;
    expect(new URL(location, `https://api.example${path}`).href).toBe(page);
    expect(location).not.toMatch(/^\//);
  });

  it('serves the OpenAPI document compressed, and answers 304 if the caller has it', async () => {
    const ask = (headers: Record<string, string>) =>
      test.api.request('/public/v1/openapi.json', { headers: { 'Accept-Encoding': 'gzip', ...headers } });
    const first = await ask({});
    expect(first.headers.get('Content-Encoding')).toBe('gzip');
    expect((await ask({ 'If-None-Match': first.headers.get('ETag')! })).status).toBe(304);
  });

  it('serves a readable page that loads nothing from other hosts', async () => {
    const page = await test.request('/public/v1/docs', { key: null });
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'; script-src 'self';/);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      const url = new URL(address, 'https://api.example/public/v1/docs');
      expect(url.host).toBe('api.example');
      const asset = await test.request(url.pathname, { key: null });
      expect(asset.status, address).toBe(200);
      expect(asset.text.length, address).toBeGreaterThan(50);
    }
    expect(page.text).not.toMatch(/<script>|<style>/);
  });

  it.each(['cloudflare', 'cloudfront', 'vercel', 'netlify', 'fastly', 'akamai', 'vector'])(
    'serves the guide of %s with the ingest address',
    async (sourceType) => {
      const { status, text } = await test.request(`/public/v1/docs/guides/${sourceType}`, { key: null });
      expect(status).toBe(200);
      expect(text).toContain('https://ingest.example/v1/logs');
      expect(text).toMatch(/INGEST_KEY/);
    },
  );
});
