import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../services/api/operation.js';
import { operations } from '../../services/api/operations/list.js';
import { pathOf, queryOf } from '../../services/api/routes.js';
import { createTestApi, type RequestOptions, type TestApi, untouchedStore } from '../harness/api.js';

/** What every operation refuses, and how; no refused request reaches the store. */

let test: TestApi;
beforeAll(async () => {
  test = await createTestApi({ reader: untouchedStore });
});

const pathExamples: Record<string, string> = { ip_address: '192.0.2.7' };

function call(operation: Operation, options: RequestOptions & { website?: string; query?: string } = {}) {
  const { website = test.website.id, query = '', ...rest } = options;
  const path = pathOf(operation)
    .replace('{website_id}', website)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const example = pathExamples[name];
      if (example === undefined) throw new Error(`no example of the path parameter ${name}`);
      return example;
    });
  return test.request(path + query, {
    method: operation.method.toUpperCase(),
    ...(operation.method === 'post' ? { body: { domain: 'www.example.com' } } : {}),
    ...rest,
  });
}

const reads = operations.filter(({ method }) => method === 'get');
const writes = operations.filter(({ method }) => method !== 'get');
const ofWebsite = operations.filter(({ kind }) => kind === 'website');
const taking = (parameter: string) =>
  operations.filter((operation) => Object.hasOwn(queryOf(operation).shape, parameter));

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('answers 401 without a key', async () => {
    const answer = await call(operation, { key: null });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: expect.stringContaining('Missing API key') });
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
  });

  it.each([
    ['a made-up key', () => `llapi_${'x'.repeat(43)}`],
    ['an expired key', () => test.keys.expired],
    ['a revoked key', () => test.keys.revoked],
  ])('answers 401 to %s, in the same words', async (_name, key) => {
    const answer = await call(operation, { key: key() });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Invalid API key.' });
  });

  it('answers 401 to an ingest key and says what to use instead', async () => {
    const answer = await call(operation, { key: test.keys.ingest });
    expect(answer.status).toBe(401);
    expect(answer.body.detail).toMatch(/Ingest keys cannot call this API.*llapi_/);
  });

  it('answers 401 to a key in the wrong place', async () => {
    const headers = { 'X-API-Key': test.keys.readWrite };
    expect((await call(operation, { key: null, headers })).status).toBe(401);
    const basic = { Authorization: `Basic ${Buffer.from(`x:${test.keys.readWrite}`).toString('base64')}` };
    expect((await call(operation, { key: null, headers: basic })).status).toBe(401);
  });

  it('answers 403 on the Free plan', async () => {
    const answer = await call(operation, { key: test.keys.free, website: test.freeWebsite.id });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.stringContaining('The Free plan has no API access') });
  });
});

describe.each(ofWebsite.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it("answers another organisation's website exactly as one that does not exist", async () => {
    const foreign = await call(operation, { website: test.foreignWebsite.id });
    const unknown = await call(operation, { website: 'web_000000000000000000000000' });
    expect(foreign.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect([...foreign.headers]).toEqual([...unknown.headers]);
    expect(foreign.body).toEqual({ detail: 'Website not found.' });
  });

  it('hides a foreign website even behind wrong parameters', async () => {
    const foreign = await call(operation, { website: test.foreignWebsite.id, query: '?max_rows=no' });
    expect(foreign.status).toBe(404);
  });
});

describe.each(writes.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('answers 403 to a read key and says that it is read-only', async () => {
    const answer = await call(operation, { key: test.keys.read });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.stringContaining('read-only') });
  });

  it.each(['', 'not json', '[]', '"text"', 'null'])('answers 400 to the body %j', async (body) => {
    const answer = await call(operation, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^body: expected a JSON object/);
  });

  it('answers 413 to a body over the limit', async () => {
    const answer = await call(operation, { body: { domain: 'x'.repeat(300_000) } });
    expect(answer.status).toBe(413);
    expect(answer.body.detail).toEqual(expect.any(String));
  });
});

describe.each(reads.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it.each(['0', '-1', '1.5', 'many', ''])('answers 400 to max_rows=%s, naming it', async (value) => {
    const answer = await call(operation, { query: `?max_rows=${value}` });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^max_rows: expected .+, got "/);
  });
});

describe.each(taking('hours').map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    it.each(['abc', '1.5', '1e400'])('answers 400 to hours=%s, naming it', async (value) => {
      const answer = await call(operation, { query: `?hours=${value}` });
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toMatch(/^hours: /);
    });
  },
);

describe.each(taking('start').map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    it.each([
      ['start', 'start=yesterday&end=2026-11-02'],
      ['start', 'start=2026-02-30&end=2026-11-02'],
      ['end', 'start=2026-11-01&end=2026-11-02T25:00:00Z'],
      ['start', 'start=2026-11-03&end=2026-11-01'],
      ['countries', 'countries=DE,Germany'],
      ['countries', 'countries=D1'],
    ])('answers 400 that names %s to ?%s', async (name, query) => {
      const answer = await call(operation, { query: `?${query}` });
      expect(answer.status).toBe(400);
      expect(answer.body.detail.startsWith(`${name}: `)).toBe(true);
    });
  },
);

describe('requests', () => {
  it.each([
    ['limit', 'limit=501'],
    ['limit', 'limit=0'],
    ['page', 'page=0'],
    ['page', 'page=1002&limit=100'],
    ['status', 'status=abc'],
    ['status_category', 'status_category=6xx'],
    ['is_bot', 'is_bot=maybe'],
    ['bot_verified', 'bot_verified=2'],
    ['client_ip', 'client_ip=1.2.3'],
    ['country', 'country=DEU'],
    ['cursor', 'cursor=abc'],
    ['cursor', `cursor=${Buffer.from('[1,2,3]').toString('base64url')}`],
    ['hours', 'hours=8761'],
    ['hours', 'hours=0'],
  ])('answers 400 that names %s to ?%s', async (name, query) => {
    const answer = await test.read(`/requests?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.detail.startsWith(`${name}: `)).toBe(true);
  });
});

describe('ips/{ip_address}/requests', () => {
  it.each(['1.2.3', 'example.com', '1.2.3.4.5', '2001:db8::g', '%20'])(
    'answers 400 to the address %s',
    async (address) => {
      const answer = await test.read(`/ips/${address}/requests`);
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toMatch(/^ip_address: expected an IPv4 or IPv6 address, got "/);
    },
  );

  it.each([
    ['hours', 'hours=169'],
    ['hours', 'hours=0'],
    ['page', 'page=0'],
    ['page_size', 'page_size=501'],
  ])('answers 400 that names %s to ?%s', async (name, query) => {
    const answer = await test.read(`/ips/192.0.2.7/requests?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.detail.startsWith(`${name}: `)).toBe(true);
  });
});

describe('live', () => {
  it('answers 400 to an unknown type and lists the known ones', async () => {
    const answer = await test.read('/live?type=robots');
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toBe('type: expected one of all, bots, human, errors, got "robots"');
  });
});
