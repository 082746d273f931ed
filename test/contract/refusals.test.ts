import { beforeAll, describe, expect, it } from 'vitest';
import {
  createTestApi,
  type RequestOptions,
  type TestApi,
  uncounted,
  untouchedStore,
} from '../harness/api.js';
import {
  addressOf,
  type Described,
  document,
  exampleOf,
  named,
  ofWebsite,
  writes,
  wrongFields,
  wrongOnes,
} from './described.js';

/** The refusals of every operation. No refused request reaches the store. */

let test: TestApi;
/** An organisation that has reached every limit. */
let usedUp: TestApi;
beforeAll(async () => {
  test = await createTestApi({ reader: untouchedStore, usage: uncounted });
  const usage = { used: () => 1_000_000, take() {} };
  usedUp = await createTestApi({ reader: untouchedStore, usage });
});

interface CallOptions extends RequestOptions {
  readonly website?: string;
  readonly query?: string;
  readonly on?: TestApi;
  /** In place of the examples of the path parameters. */
  readonly path?: Record<string, string>;
}

/** The documented call, built from the document's examples. */
function call(one: Described, options: CallOptions = {}) {
  const { on = test, website = on.website.id, query = '', path = {}, ...rest } = options;
  return on.request(addressOf(one, { website_id: website, ...path }, query), {
    method: one.method,
    ...(one.body === null ? {} : { body: exampleOf(one.body) }),
    ...rest,
  });
}

const withParameters = named.filter(([, { parameters }]) => parameters.length > 1);
const withBody = named.filter(([, { body }]) => body !== null);
const taking = (name: string) =>
  named.filter(([, { parameters }]) => parameters.some((parameter) => parameter.name === name));
const ofPlans = (plans: 'all' | 'starter' | undefined) =>
  named.filter(([, { operation }]) => operation.plans === plans);

/** Spec §4.2 requires that these are clamped, not refused. */
const clamped = new Set(['getBots hours']);

describe.each(named)('%s', (_id, one) => {
  it('answers 401 without a key', async () => {
    const answer = await call(one, { key: null });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: expect.stringContaining('Missing API key') });
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
  });

  it.each([
    ['a made-up key', () => `llapi_${'x'.repeat(43)}`],
    ['an expired key', () => test.keys.expired],
    ['a revoked key', () => test.keys.revoked],
  ])('answers 401 to %s, with the same message', async (_name, key) => {
    const answer = await call(one, { key: key() });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Invalid API key.' });
  });

  it('answers 401 to an ingest key and names the right kind of key', async () => {
    const answer = await call(one, { key: test.keys.ingest });
    expect(answer.status).toBe(401);
    expect(answer.body.detail).toMatch(/Ingest keys cannot call this API.*llapi_/);
  });

  it('answers 401 to a key in the wrong place', async () => {
    const headers = { 'X-API-Key': test.keys.readWrite };
    expect((await call(one, { key: null, headers })).status).toBe(401);
    const basic = { Authorization: `Basic ${Buffer.from(`x:${test.keys.readWrite}`).toString('base64')}` };
    expect((await call(one, { key: null, headers: basic })).status).toBe(401);
  });

  it('answers 429 if the hourly limit is reached, before any other check', async () => {
    const answer = await call(one, {
      on: usedUp,
      website: usedUp.foreignWebsite.id,
      query: '?max_rows=no',
    });
    expect(answer.status).toBe(429);
    const limit = one.operation.bucket === 'requests' ? 2_000 : 120;
    const reset_at = '2026-11-21T13:00:00.000Z';
    expect(answer.body).toEqual({ detail: expect.stringContaining(`limit of ${limit} `), limit, reset_at });
    expect(answer.headers.get('Retry-After')).toBe('3600');
    expect(answer.headers.get('X-RateLimit-Limit')).toBe(String(limit));
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0');
    expect(answer.headers.get('X-RateLimit-Reset')).toBe(reset_at);
  });
});

describe.each(named.filter(([, { operation }]) => operation.plans !== 'all'))('%s', (_id, one) => {
  it('answers 403 on the Free plan', async () => {
    const answer = await call(one, { key: test.keys.free, website: test.freeWebsite.id });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.stringContaining('The Free plan has no API access') });
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('0');
  });
});

describe.each(ofPlans('all'))('%s', (_id, one) => {
  it('is open to the Free plan', async () => {
    const answer = await call(one, { key: test.keys.free });
    expect(answer.status).not.toBe(403);
  });
});

describe.each(ofPlans('starter'))('%s', (_id, one) => {
  it('answers 403 on the Basic plan, and names the required plan', async () => {
    const basic = await createTestApi({ reader: untouchedStore });
    const { organisationId } = basic.website;
    await basic.control.execute({ type: 'setPlan', organisationId, planId: 'basic' }, 'admin');
    const answer = await call(one, { on: basic });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.stringMatching(/Basic plan .*Starter/) });
  });
});

describe.each(ofWebsite)('%s', (_id, one) => {
  it("answers another organisation's website exactly as one that does not exist", async () => {
    const foreign = await call(one, { website: test.foreignWebsite.id });
    const unknown = await call(one, { website: 'web_000000000000000000000000' });
    expect(foreign.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect([...foreign.headers]).toEqual([...unknown.headers]);
    expect(foreign.body).toEqual({ detail: 'Website not found.' });
  });

  it('hides a foreign website even behind wrong parameters', async () => {
    const wrong = one.body === null ? {} : { body: 'not json' };
    const foreign = await call(one, { website: test.foreignWebsite.id, query: '?max_rows=no', ...wrong });
    expect(foreign.status).toBe(404);
  });
});

describe.each(writes.filter(([, { operation }]) => operation.access === 'read_write'))('%s', (_id, one) => {
  it('answers 403 to a read key with the reason', async () => {
    const answer = await call(one, { key: test.keys.read });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.stringContaining('read-only') });
  });
});

describe.each(withBody)('%s', (_id, one) => {
  it.each(['not json', '[]', '"text"', 'null', '{'])('answers 400 to the body %j', async (body) => {
    const answer = await call(one, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^body: expected a JSON object/);
  });

  it('answers 400 to an unknown field with its name', async () => {
    const answer = await call(one, { body: { ...exampleOf(one.body), no_such_field: 1 } });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^no_such_field: unknown field; .+\.$/);
  });

  it('answers 413 to a body over the limit', async () => {
    const answer = await call(one, { body: { filler: 'x'.repeat(300_000) } });
    expect(answer.status).toBe(413);
    expect(answer.body.detail).toBe('The body is larger than this path allows.');
  });

  it('answers 400 to each wrong field with its name', async () => {
    const { properties = {}, required = [] } = one.body;
    for (const [name, schema] of Object.entries(properties)) {
      for (const value of wrongFields(schema)) {
        const answer = await call(one, { body: { ...exampleOf(one.body), [name]: value } });
        expect([answer.status, name, value]).toEqual([400, name, value]);
        expect(answer.body.detail.startsWith(name), answer.body.detail).toBe(true);
      }
    }
    for (const name of required) {
      const { [name]: _, ...rest } = exampleOf(one.body);
      const answer = await call(one, { body: rest });
      expect([answer.status, name]).toEqual([400, name]);
      expect(answer.body.detail).toMatch(/^\w+: expected .+, but it is missing\.$/);
      expect(answer.body.detail.startsWith(`${name}: `), answer.body.detail).toBe(true);
    }
  });

  it('accepts an absent body exactly if the document allows it', async () => {
    const { required } = document.paths[one.path][one.method.toLowerCase()].requestBody;
    const answer = await call(one, { body: '' });
    if (required) expect(answer.body.detail).toMatch(/^body: expected a JSON object/);
    else expect(answer.body?.detail ?? '').not.toMatch(/^body/);
  });
});

describe.each(withParameters)('%s', (id, one) => {
  const parameters = one.parameters.filter(
    ({ name }) => name !== 'website_id' && !clamped.has(`${id} ${name}`),
  );
  it.runIf(parameters.length > 0)('answers 400 to each wrong parameter with its name', async () => {
    for (const { name, in: place, schema } of parameters) {
      for (const value of wrongOnes(schema)) {
        if (place === 'path' && value === '') continue;
        const query = `?${name}=${encodeURIComponent(value)}`;
        const answer = await call(one, {
          ...(place === 'path' ? { path: { [name]: value } } : {}),
          ...(place === 'query' ? { query } : {}),
          ...(place === 'header' ? { headers: { [name]: value } } : {}),
        });
        expect([answer.status, name, value]).toEqual([400, name, value]);
        expect(answer.body.detail.startsWith(`${name}: `), answer.body.detail).toBe(true);
      }
    }
  });
});

describe.each(taking('start'))('%s', (_id, one) => {
  it.each([
    ['start', 'start=yesterday&end=2026-11-02'],
    ['start', 'start=2026-02-30&end=2026-11-02'],
    ['end', 'start=2026-11-01&end=2026-11-02T25:00:00Z'],
    ['start', 'start=2026-11-03&end=2026-11-01'],
  ])('answers 400 that names %s to ?%s', async (name, query) => {
    await expectRefusal(one, name, query);
  });
});

describe.each(taking('countries'))('%s', (_id, one) => {
  it.each(['DE,Germany', 'D1'])('answers 400 to ?countries=%s', async (countries) => {
    await expectRefusal(one, 'countries', `countries=${countries}`);
  });
});

async function expectRefusal(one: Parameters<typeof call>[0], name: string, query: string) {
  const answer = await call(one, { query: `?${query}` });
  expect(answer.status).toBe(400);
  expect(answer.body.detail.startsWith(`${name}: `)).toBe(true);
}

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
    expect(answer.body.detail).toBe('type: expected one of all, bots, human, errors, got "robots".');
  });
});
