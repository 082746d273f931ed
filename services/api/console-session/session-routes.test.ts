import { Registry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import {
  createTestApi,
  openReplica,
  type TestAnswer,
  type TestApi,
  uncounted,
} from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { encodedBody } from '../answer-cache/encoded-body.js';
import { createApi } from '../app.js';

const console = { page: encodedBody('<!doctype html>'), files: [] };
/** As the page sends them. */
const ofPage = { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

let test: TestApi;
let organisationId: string;
beforeEach(async () => {
  test = await createTestApi({ console });
  organisationId = test.website.organisationId;
});

async function makeLink(options: { scope?: 'read' | 'read_write'; user?: string } = {}): Promise<string> {
  const command = { type: 'createSignInLink', organisationId, scope: 'read_write', ...options } as const;
  return granted(await test.control.execute(command, 'admin')).clearText;
}

const exchange = (token: unknown, headers: Record<string, string> = ofPage, on = test.request) =>
  on('/console/sign-in', { key: null, method: 'POST', body: { token }, headers });

const cookieOf = ({ headers }: TestAnswer) => headers.get('Set-Cookie')?.split(';')[0] ?? '';

/** @returns the cookie of a new session. */
async function signIn(options: Parameters<typeof makeLink>[0] = {}): Promise<string> {
  const answer = await exchange(await makeLink(options));
  expect(answer.status).toBe(200);
  return cookieOf(answer);
}

const get = (path: string, cookie: string, on = test.request) =>
  on(path, { key: null, headers: { Cookie: cookie } });
const websites = (cookie: string, on = test.request) => get('/public/v1/websites', cookie, on);
const session = (cookie: string, on = test.request) => get('/console/session', cookie, on);
const addWebsite = (cookie: string, headers: Record<string, string> = ofPage) =>
  test.request('/public/v1/websites', {
    key: null,
    method: 'POST',
    body: { domain: 'new.example' },
    headers: { Cookie: cookie, ...headers },
  });
const stored = () => [...test.control.state().apiKeys.values()].filter(({ kind }) => kind !== 'key');

describe('a sign-in link', () => {
  it('becomes a session, whose cookie no script reads and no other site sends', async () => {
    const answer = await exchange(await makeLink());
    expect(answer.headers.get('Set-Cookie')).toMatch(
      /^loglane_session=llsession_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.body).toEqual({
      user: null,
      role: 'owner',
      expires_at: new Date(test.options.now() + 7 * DAY_MS).toISOString(),
      organisation: { id: organisationId, name: 'Shop' },
      ingest_url: 'https://ingest.example/v1/logs',
      demo: false,
    });
    const cookie = cookieOf(answer);
    expect((await session(cookie)).body).toEqual(answer.body);
    expect((await websites(cookie)).body.websites).toHaveLength(1);
  });

  it('works once, also where two replicas get it at the same time', async () => {
    const replica = await openReplica(test);
    const token = await makeLink();
    const answers = await Promise.all([exchange(token), exchange(token, ofPage, replica)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await test.controlLog.drained();
    for (const on of [test.request, replica]) {
      const again = await exchange(token, ofPage, on);
      expect([again.status, again.body.code]).toEqual([404, 'sign_in_link_ended']);
      expect(again.headers.get('Set-Cookie')).toBeNull();
    }
    expect(stored().map(({ kind }) => kind)).toEqual(['sign_in_link', 'session']);
  });

  it('works for 15 minutes, and until it is revoked', async () => {
    const late = await makeLink();
    test.advance(15 * MINUTE_MS);
    expect((await exchange(late)).status).toBe(404);
    const revoked = await makeLink();
    granted(await test.control.execute({ type: 'revokeApiKey', apiKeyId: stored().at(-1)!.id }, 'admin'));
    expect((await exchange(revoked)).status).toBe(404);
  });

  it.each([
    '',
    'x',
    `llapi_${'a'.repeat(43)}`,
    `llsession_${'a'.repeat(43)}`,
    `lllink_${'a'.repeat(43)}`,
    '\0\u202e',
  ])('that is none (%j) opens nothing', async (token) => {
    expect((await exchange(token)).status).toBe(404);
  });

  it('is read from a small body of the right shape', async () => {
    expect((await exchange(7)).status).toBe(400);
    expect((await exchange('x'.repeat(2_000))).status).toBe(413);
  });

  it('is taken from a page of this host alone, so that nobody signs others in', async () => {
    const token = await makeLink();
    for (const headers of [
      {},
      { 'X-Loglane-Console': '1' },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'X-Loglane-Console': '1', Origin: 'https://evil.example' },
      { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-site', Origin: 'https://api.example' },
    ] as Record<string, string>[])
      expect((await exchange(token, headers)).status).toBe(403);
    expect((await exchange(token, { 'X-Loglane-Console': '1', Origin: 'https://api.example' })).status).toBe(
      200,
    );
  });

  it('is no key, and the cookie is none', async () => {
    const link = await makeLink();
    const cookie = await signIn();
    for (const key of [link, cookie.split('=')[1]!])
      expect((await test.request('/public/v1/websites', { key })).status).toBe(401);
    for (const text of [link, test.keys.readWrite])
      expect((await websites(`loglane_session=${text}`)).status).toBe(401);
  });
});

describe('a session', () => {
  it('ends after seven days, however much it is used', async () => {
    const cookie = await signIn();
    for (let hour = 0; hour < 168; hour += 6) {
      expect((await websites(cookie)).status).toBe(200);
      test.advance(6 * HOUR_MS);
      await test.controlLog.drained();
    }
    const ended = await websites(cookie);
    expect([ended.status, ended.body.detail]).toEqual([
      401,
      'The session has ended; sign in again with a new link.',
    ]);
  });

  it('ends after twelve hours without a call to any replica', async () => {
    const replica = await openReplica(test);
    const cookie = await signIn();
    await test.controlLog.drained();
    for (const on of [replica, test.request, replica]) {
      test.advance(11 * HOUR_MS);
      expect((await websites(cookie, on)).status).toBe(200);
      await test.controlLog.drained();
    }
    test.advance(12 * HOUR_MS);
    for (const on of [replica, test.request]) expect((await websites(cookie, on)).status).toBe(401);
  });

  it('leaves one record in the log for many calls', async () => {
    const cookie = await signIn();
    test.advance(20 * MINUTE_MS);
    const before = test.controlLog.records.length;
    await Promise.all(Array.from({ length: 20 }, () => websites(cookie)));
    await test.controlLog.drained();
    test.advance(10 * MINUTE_MS);
    await websites(cookie);
    await test.controlLog.drained();
    expect(test.controlLog.records.length).toBe(before + 1);
  });

  it('ends everywhere when its user signs out or it is revoked', async () => {
    const replica = await openReplica(test);
    const cookie = await signIn();
    const out = await test.request('/console/sign-out', {
      key: null,
      method: 'POST',
      headers: { Cookie: cookie, ...ofPage },
    });
    expect(out.status).toBe(200);
    expect(out.headers.get('Set-Cookie')).toMatch(/^loglane_session=; Path=\/; Max-Age=0; /);
    const revoked = await signIn();
    granted(await test.control.execute({ type: 'revokeApiKey', apiKeyId: stored().at(-1)!.id }, 'admin'));
    await test.controlLog.drained();
    for (const ended of [cookie, revoked])
      for (const on of [test.request, replica]) expect((await session(ended, on)).status).toBe(401);
  });

  it('ends with its user', async () => {
    const user = granted(
      await test.control.execute({ type: 'addUser', organisationId, email: 'ann@shop.example' }, 'admin'),
    );
    const cookie = await signIn({ user: user.id });
    const link = await makeLink({ user: user.id });
    granted(await test.control.execute({ type: 'eraseUser', userId: user.id }, 'admin'));
    expect((await websites(cookie)).status).toBe(401);
    expect((await exchange(link)).status).toBe(404);
  });

  it('is forgotten some time after its end, and so are links', async () => {
    await signIn();
    test.advance(8 * DAY_MS + 1);
    await signIn();
    expect(stored().map(({ kind, revokedAt }) => [kind, revokedAt === null])).toEqual([
      ['sign_in_link', false],
      ['session', true],
    ]);
  });

  it('cannot be rotated into a key', async () => {
    await signIn();
    for (const { id } of stored()) {
      const outcome = await test.control.execute({ type: 'rotateApiKey', apiKeyId: id }, 'admin');
      expect(outcome).toMatchObject({ refusal: { code: 'conflict' } });
    }
  });

  it('reads its organisation alone', async () => {
    const cookie = await signIn();
    for (const { id } of [test.foreignWebsite, test.freeWebsite])
      expect((await get(`/public/v1/websites/${id}/exports`, cookie)).status).toBe(404);
    expect((await get(`/public/v1/websites/${test.website.id}/exports`, cookie)).status).toBe(200);
  });

  it('counts in a bucket of its own, not against the limit of the plan', async () => {
    const cookie = await signIn();
    const remaining = async (answer: Promise<TestAnswer>) => {
      const { headers } = await answer;
      return [headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')];
    };
    expect(await remaining(websites(cookie))).toEqual(['20000', '19999']);
    expect(await remaining(websites(cookie))).toEqual(['20000', '19998']);
    expect(await remaining(test.request('/public/v1/websites'))).toEqual(['2000', '1999']);
    expect(await remaining(addWebsite(cookie))).toEqual(['120', '119']);
    expect(await remaining(get('/public/v1/none', cookie))).toEqual(['20000', '19998']);
  });

  it('has the features of the plan, but needs no API access', async () => {
    organisationId = test.freeWebsite.organisationId;
    const cookie = await signIn();
    expect((await websites(cookie)).status).toBe(200);
    const starter = await get(`/public/v1/websites/${test.freeWebsite.id}/exports`, cookie);
    expect([starter.status, starter.body.detail]).toEqual([403, expect.stringContaining('needs Starter')]);
  });
});

describe('a write', () => {
  it('needs an owner', async () => {
    const viewer = await signIn({ scope: 'read' });
    expect((await session(viewer)).body.role).toBe('viewer');
    const refused = await addWebsite(viewer);
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'This is a viewer’s session; the action needs an owner’s.',
    ]);
    expect((await addWebsite(await signIn())).status).toBe(200);
  });

  it.each([
    ['without the header', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://api.example' }],
    ['with another value', { 'X-Loglane-Console': 'yes', 'Sec-Fetch-Site': 'same-origin' }],
    ['from nowhere', { 'X-Loglane-Console': '1' }],
    ['from another host', { 'X-Loglane-Console': '1', Origin: 'https://evil.example' }],
    [
      'from a host that begins alike',
      { 'X-Loglane-Console': '1', Origin: 'https://api.example.evil.example' },
    ],
    ['from this host without TLS', { 'X-Loglane-Console': '1', Origin: 'http://api.example' }],
    ['from a frame without an origin', { 'X-Loglane-Console': '1', Origin: 'null' }],
    [
      'from another site, by the browser',
      { 'X-Loglane-Console': '1', Origin: 'https://api.example', 'Sec-Fetch-Site': 'cross-site' },
    ],
  ] as [string, Record<string, string>][])('%s is refused and changes nothing', async (_, headers) => {
    const cookie = await signIn();
    const before = test.control.state().websites.size;
    const { status, body } = await addWebsite(cookie, headers);
    expect(status).toBe(403);
    expect(body.detail).toMatch(/X-Loglane-Console|another host/);
    expect(test.control.state().websites.size).toBe(before);
  });

  it('names the session and its user in the timeline, and repeats by its own key', async () => {
    granted(
      await test.control.execute({ type: 'addUser', organisationId, email: 'ann@shop.example' }, 'admin'),
    );
    const cookie = await signIn({ user: 'Ann@shop.example' });
    expect((await session(cookie)).body.user).toBe('ann@shop.example');
    const first = await addWebsite(cookie, { ...ofPage, 'Idempotency-Key': 'k1' });
    const again = await addWebsite(cookie, { ...ofPage, 'Idempotency-Key': 'k1' });
    expect(again.text).toBe(first.text);
    const written = test.controlLog.records.map(({ value }) => value.toString()).join('\n');
    expect(written).toContain(`console, ann@shop.example (…${stored().at(-1)!.last4})`);
  });

  it('with a key needs no proof', async () => {
    const cookie = await signIn();
    const headers = { Cookie: cookie, Authorization: `Bearer ${test.keys.readWrite}` };
    expect((await addWebsite('', headers)).status).toBe(200);
    // The header counts, not the cookie.
    expect((await addWebsite('', { ...headers, Authorization: 'Bearer none' })).status).toBe(401);
  });
});

describe('a cookie', () => {
  it.each([
    'loglane_session=',
    'loglane_session=\t\u0001\u001f',
    'loglane_session="llsession_x"',
    `loglane_session=${'a'.repeat(60_000)}`,
    `${'a=b; '.repeat(10_000)}loglane_session=__proto__`,
    `loglane_session=llsession_${'a'.repeat(43)}`,
  ])('that is no session (%#) is refused, and in no log line', async (cookie) => {
    const { status, body } = await websites(cookie);
    expect([status, body.detail]).toEqual([401, 'The session has ended; sign in again with a new link.']);
    expect(test.logged()).not.toContain('llsession_');
    expect(test.logged()).not.toContain('aaaaaaaaaa');
  });

  it('of another name is none', async () => {
    for (const cookie of ['', ';;=;', 'loglane_sessions=x', 'x=loglane_session=y'])
      expect((await websites(cookie)).body.detail).toContain('Missing API key');
  });

  it('and the link are in no log line and in no record of the log', async () => {
    const link = await makeLink();
    const cookie = cookieOf(await exchange(link));
    await websites(cookie);
    await addWebsite(cookie, { ...ofPage, 'Idempotency-Key': 'k1' });
    await test.controlLog.drained();
    const written = test.controlLog.records.map(({ value }) => value.toString('latin1')).join('\n');
    for (const secret of [link, cookie.split('=')[1]!]) {
      expect(written).not.toContain(secret);
      expect(test.logged()).not.toContain(secret);
    }
    expect(test.logged()).toContain(stored().at(-1)!.id);
  });
});

describe('without TLS', () => {
  async function postPlain(headers: Record<string, string>): Promise<Response> {
    const plain = { base: 'http://127.0.0.1:8080', ingest: 'http://127.0.0.1:8081/v1/logs' };
    const services = { ...test.options.services, urls: plain };
    const api = createApi({ ...test.options, services, registry: new Registry() });
    const body = JSON.stringify({ token: await makeLink() });
    return api.request('/console/sign-in', { method: 'POST', body, headers });
  }

  it('the cookie is marked Secure only where the proxy speaks TLS', async () => {
    const cookie = async (headers: object) =>
      (await postPlain({ ...ofPage, ...headers })).headers.get('Set-Cookie');
    expect(await cookie({})).not.toContain('Secure');
    expect(await cookie({ 'X-Forwarded-Proto': 'https' })).toContain('; Secure');
    expect(await cookie({ 'X-Forwarded-Proto': 'https, http' })).toContain('; Secure');
  });

  it('the page may be at any address of the machine, but at no other host', async () => {
    const status = async (Origin: string, Host: string) =>
      (await postPlain({ 'X-Loglane-Console': '1', Origin, Host })).status;
    expect(await status('http://192.168.1.5:8080', '192.168.1.5:8080')).toBe(200);
    expect(await status('http://192.168.1.5:9090', '192.168.1.5:8080')).toBe(403);
    expect(await status('http://evil.example', '192.168.1.5:8080')).toBe(403);
    expect(await status('null', 'null')).toBe(403);
  });
});

describe('without a console', () => {
  it('there is no sign-in, and a cookie opens nothing', async () => {
    const cookie = await signIn();
    const off = await createTestApi({ usage: uncounted });
    expect((await exchange(await makeLink(), ofPage, off.request)).status).toBe(404);
    expect((await session(cookie, off.request)).status).toBe(404);
    expect((await websites(cookie, off.request)).body.detail).toContain('Missing API key');
  });
});

it('only a session can read who is signed in', async () => {
  expect((await test.request('/console/session', { key: null })).status).toBe(401);
  expect((await test.request('/console/session')).status).toBe(401);
});
