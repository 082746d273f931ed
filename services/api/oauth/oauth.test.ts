import {
  auth,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
  registerClient,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createTestApi, openReplica, type TestAnswer, type TestApi } from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { encodedBody } from '../answer-cache/encoded-body.js';
import { answerErrors } from '../middleware/answer-errors.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import { protectedResourceUrl } from './metadata.js';

/** The whole way of a client, as the official one walks it; then what a foe tries. */

const BASE = 'https://api.example';
const REDIRECT = 'https://claude.ai/api/mcp/auth_callback';
const console = { page: encodedBody('<!doctype html>'), files: [] };
const ofPage = { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-origin' };
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';

let test: TestApi;
let organisationId: string;
let mcp: Hono<ApiEnv>;

beforeEach(async () => {
  test = await createTestApi({ console });
  organisationId = test.website.organisationId;
  const { services, now } = test.options;
  mcp = new Hono<ApiEnv>();
  mcp.onError(answerErrors);
  mcp.all('/mcp', authenticate(services, now), (c) =>
    c.json({ organisation: c.get('caller').organisation.id }),
  );
});

/** Calls the API as a client does, and a stub of `/mcp`. */
async function fetchFn(url: string | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(url, init);
  return new URL(request.url).pathname === '/mcp'
    ? mcp.fetch(request, { throughMcp: true })
    : test.api.fetch(request);
}

const callMcp = async (token: string) =>
  (await fetchFn(`${BASE}/mcp`, { headers: { Authorization: `Bearer ${token}` } })).status;

async function signIn(scope: 'read' | 'read_write' = 'read_write', user?: string): Promise<string> {
  const command = { type: 'createSignInLink', organisationId, scope, ...(user && { user }) } as const;
  const { clearText: token } = granted(await test.control.execute(command, 'admin'));
  const answer = await test.request('/console/sign-in', {
    key: null,
    method: 'POST',
    body: { token },
    headers: ofPage,
  });
  return answer.headers.get('Set-Cookie')!.split(';')[0]!;
}

const consent = (
  cookie: string,
  body: object,
  headers: Record<string, string> = ofPage,
): Promise<TestAnswer> =>
  test.request('/oauth/consent', {
    key: null,
    method: 'POST',
    body,
    headers: { Cookie: cookie, ...headers },
  });

/** The person at the screen: allows what the client's address asks. @returns the parameters that the client gets. */
async function allow(
  authorization: URL,
  { cookie, scope = 'read' }: { cookie?: string; scope?: 'read' | 'read_write' } = {},
): Promise<URLSearchParams> {
  const opened = await fetchFn(authorization);
  expect(opened.status).toBe(302);
  const screen = new URL(opened.headers.get('Location')!, authorization);
  expect(screen.pathname).toBe('/connect');
  const answer = await consent(cookie ?? (await signIn()), {
    request: screen.search,
    decision: 'allow',
    scope,
  });
  expect(answer.status).toBe(200);
  return new URL(answer.body.redirect_to).searchParams;
}

const register = (body: object) =>
  test.request('/oauth/register', { key: null, method: 'POST', body }) as Promise<TestAnswer>;

async function newClient(redirects: string[] = [REDIRECT], name = 'Claude'): Promise<string> {
  const { status, body } = await register({ redirect_uris: redirects, client_name: name });
  expect(status).toBe(201);
  return body.client_id;
}

const post = (path: string, form: Record<string, string>, on = test.request) =>
  on(path, {
    key: null,
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
const token = (form: Record<string, string>, on = test.request) => post('/oauth/token', form, on);

function addressOf(clientId: string, more: Record<string, string> = {}): URL {
  const url = new URL(`${BASE}/oauth/authorize`);
  const wish = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 's1',
    ...more,
  };
  for (const [name, value] of Object.entries(wish)) url.searchParams.set(name, value);
  return url;
}

const redemption = (clientId: string, code: string, more: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  ...more,
});

/** A client with tokens. */
async function connect(scope: 'read' | 'read_write' = 'read') {
  const clientId = await newClient();
  const code = (await allow(addressOf(clientId), { scope })).get('code')!;
  const { status, body } = await token(redemption(clientId, code));
  expect(status).toBe(200);
  return { clientId, code, access: body.access_token as string, refresh: body.refresh_token as string };
}

const refreshing = (clientId: string, refresh: string, more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refresh,
  ...more,
});

const connections = () =>
  [...test.control.state().apiKeys.values()].filter(({ kind }) => kind === 'connection');

class Provider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], client_name: 'Claude' };
  client: StoredOAuthClientInformation | undefined;
  held: StoredOAuthTokens | undefined;
  verifier = '';
  opened: URL | null = null;
  discovered: OAuthDiscoveryState | undefined;
  state = () => 'a b&c=%/é';
  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.client = client;
  };
  tokens = () => this.held;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.held = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.discovered = state;
  };
  discoveryState = () => this.discovered;
  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (what === 'all' || what === 'client') this.client = undefined;
    if (what === 'all' || what === 'tokens') this.held = undefined;
  }
}

describe('the official client', () => {
  it('discovers, registers, is allowed, calls, refreshes and is revoked', async () => {
    const provider = new Provider();
    const options = { serverUrl: `${BASE}/mcp`, fetchFn };
    expect(await auth(provider, options)).toBe('REDIRECT');
    const back = await allow(provider.opened!);
    expect(back.get('state')).toBe('a b&c=%/é');
    expect(
      await auth(provider, { ...options, authorizationCode: back.get('code')!, iss: back.get('iss')! }),
    ).toBe('AUTHORIZED');
    expect(provider.held).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read' });
    const first = provider.held!;
    expect(await callMcp(first.access_token)).toBe(200);

    test.advance(HOUR_MS);
    expect(await callMcp(first.access_token)).toBe(401);
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect(provider.held!.refresh_token).not.toBe(first.refresh_token);
    expect(await callMcp(provider.held!.access_token)).toBe(200);

    const [connection] = connections();
    expect(connection).toMatchObject({ name: 'Claude', scope: 'read', organisationId });
    granted(await test.control.execute({ type: 'revokeApiKey', apiKeyId: connection!.id }, 'admin'));
    expect(await callMcp(provider.held!.access_token)).toBe(401);
    // The refresh fails, and the client asks the person again.
    provider.opened = null;
    expect(await auth(provider, options)).toBe('REDIRECT');
    expect(provider.opened).not.toBeNull();
  });

  it('registers again where its id is unknown, as after a move to a new installation', async () => {
    const provider = new Provider();
    provider.client = { client_id: `0123456789ab.${'A'.repeat(80)}` };
    provider.held = { access_token: 'x', token_type: 'Bearer', refresh_token: 'y' };
    expect(await auth(provider, { serverUrl: `${BASE}/mcp`, fetchFn })).toBe('REDIRECT');
    expect(provider.client!.client_id).not.toContain('AAAA');
  });

  it('goes the same way step by step', async () => {
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
      await discoverOAuthServerInfo(`${BASE}/mcp`, {
        fetchFn,
        resourceMetadataUrl: new URL(protectedResourceUrl({ base: BASE, ingest: '' })),
      });
    expect(resourceMetadata).toMatchObject({ resource: `${BASE}/mcp`, authorization_servers: [BASE] });
    const metadata = authorizationServerMetadata!;
    expect(metadata).not.toHaveProperty('client_id_metadata_document_supported');
    const redirectUrl = 'http://127.0.0.1:49152/callback';
    const clientInformation = await registerClient(authorizationServerUrl, {
      metadata,
      clientMetadata: {
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
      fetchFn,
    });
    expect(clientInformation).toMatchObject({ token_endpoint_auth_method: 'none', client_name: '127.0.0.1' });
    const resource = new URL(`${BASE}/mcp`);
    const common = { metadata, clientInformation, resource, fetchFn };
    const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
      ...common,
      redirectUrl,
      scope: 'read read_write offline_access',
    });
    const back = await allow(authorizationUrl, { scope: 'read_write' });
    const tokens = await exchangeAuthorization(authorizationServerUrl, {
      ...common,
      authorizationCode: back.get('code')!,
      iss: back.get('iss')!,
      codeVerifier,
      redirectUri: redirectUrl,
    });
    expect(tokens.scope).toBe('read read_write');
    const next = await refreshAuthorization(authorizationServerUrl, {
      ...common,
      refreshToken: tokens.refresh_token!,
    });
    test.advance(MINUTE_MS);
    await expect(
      refreshAuthorization(authorizationServerUrl, { ...common, refreshToken: tokens.refresh_token! }),
    ).rejects.toThrow('twice');
    expect(await callMcp(next.access_token)).toBe(401);
  });
});

describe('the documents', () => {
  it('are read by pages of any host, and describe what there is', async () => {
    const paths = [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ];
    for (const path of paths) {
      const { status, headers } = await test.request(path, {
        key: null,
        headers: { Origin: 'https://x.example' },
      });
      expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
    }
    for (const path of [...paths, '/oauth/token', '/oauth/register', '/oauth/revoke']) {
      const asked = await test.request(path, {
        key: null,
        method: 'OPTIONS',
        headers: {
          Origin: 'https://x.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'mcp-protocol-version, content-type',
        },
      });
      expect([asked.status, asked.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
    }
    for (const path of ['/oauth/authorize', '/oauth/consent'])
      expect((await test.request(path, { key: null })).headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('are not there without a console, and neither is the rest', async () => {
    const off = await createTestApi({});
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/mcp',
      '/oauth/authorize',
      '/oauth/consent',
    ])
      expect((await off.request(path)).status).toBe(404);
    expect((await post('/oauth/token', {}, off.request)).status).toBe(404);
  });
});

describe('a registration', () => {
  it('stores nothing, and its name shows what it is', async () => {
    const before = test.controlLog.records.length;
    const { body } = await register({
      redirect_uris: [REDIRECT],
      client_name: `  \u202eedualC\u2066\u200b\n\0 ${'x'.repeat(200)}`,
    });
    expect(body.client_name).toBe(`edualC ${'x'.repeat(93)}`);
    expect(test.controlLog.records.length).toBe(before);
  });

  it.each([
    [[]],
    [Array.from({ length: 11 }, (_, each) => `https://x.example/${each}`)],
    [['https://x.example/#a']],
    [['http://x.example/']],
    [['http://127.0.0.1.x.example/']],
    [['http://localhost@x.example/']],
    [['https://user:pass@x.example/']],
    [['javascript://x/%0aalert(1)']],
    [['JavaScript:alert(1)']],
    [['data:text/html,x']],
    [['file:///etc/passwd']],
    [['ms-msdt:/id']],
    [['/callback']],
    [['https://x.example\\@y.example/']],
    [['https://x.example/\u202e']],
    [['java\nscript:alert(1)']],
    [[`https://x.example/${'a'.repeat(1_000)}`]],
    [Array.from({ length: 5 }, (_, each) => `https://x.example/${each}${'a'.repeat(900)}`)],
    ['https://x.example/'],
    [[7]],
  ])('with the addresses %j is refused', async (redirects) => {
    const { status, body } = await register({ redirect_uris: redirects });
    expect(status).toBe(400);
    expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(body.error);
  });

  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
    'http://127.0.0.1/',
    'http://localhost:8080/callback?x=1',
    'http://[::1]:1234/callback',
  ])('with the address %s is taken', async (redirect) => {
    await newClient([redirect]);
  });

  it('needs a JSON object of bounded size', async () => {
    expect((await register([])).status).toBe(400);
    expect((await register({ redirect_uris: [REDIRECT], x: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await register({ redirect_uris: [REDIRECT], grant_types: ['client_credentials'] })).status).toBe(
      400,
    );
    expect((await register({ redirect_uris: [REDIRECT], client_name: 7 })).body.error).toBe(
      'invalid_client_metadata',
    );
  });

  it('is limited for each minute', async () => {
    const statuses = [];
    for (let each = 0; each < 61; each++)
      statuses.push((await register({ redirect_uris: [REDIRECT] })).status);
    expect(statuses.slice(-2)).toEqual([201, 429]);
    test.advance(MINUTE_MS);
    await newClient();
  });
});

describe('a request for consent', () => {
  it('of an unknown client, or for another address, goes nowhere', async () => {
    const clientId = await newClient();
    const opened = async (url: URL) => {
      const answer = await fetchFn(url);
      return [
        answer.status,
        ((await answer.json()) as { error: string }).error,
        answer.headers.get('Location'),
      ];
    };
    expect(await opened(addressOf(`${clientId}A`))).toEqual([401, 'invalid_client', null]);
    for (const redirect of [
      'https://evil.example/',
      `${REDIRECT}/`,
      `${REDIRECT}?x=1`,
      REDIRECT.replace('claude.ai', 'Claude.ai'),
      REDIRECT.replace('claude.ai', 'claude.ai:8443'),
      `${REDIRECT}#x`,
    ])
      expect(await opened(addressOf(clientId, { redirect_uri: redirect }))).toEqual([
        400,
        'invalid_request',
        null,
      ]);
    const long = await opened(addressOf(clientId, { state: 'x'.repeat(2_001) }));
    expect(long).toEqual([400, 'invalid_request', null]);
  });

  it.each([
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: `${BASE}/mcp/` }, 'invalid_target'],
    [{ scope: 'admin' }, 'invalid_scope'],
  ] as [Record<string, string>, string][])(
    'with %j can only be sent back, by the person',
    async (more, error) => {
      const url = addressOf(await newClient(), more);
      expect((await fetchFn(url)).headers.get('Location')).toContain('../connect?');
      const cookie = await signIn();
      const shown = await test.request(`/oauth/consent${url.search}`, {
        key: null,
        headers: { Cookie: cookie },
      });
      expect(shown.body).toMatchObject({ scopes: [], problem: expect.any(String) });
      const answer = await consent(cookie, { request: url.search, decision: 'allow', scope: 'read' });
      const back = new URL(answer.body.redirect_to);
      expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual([error, null]);
      expect(answer.body.redirect_to.startsWith(`${REDIRECT}?`)).toBe(true);
      expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['s1', BASE]);
    },
  );

  it('shows who asks, for whom, and what the person can allow', async () => {
    granted(
      await test.control.execute({ type: 'addUser', organisationId, email: 'ann@shop.example' }, 'admin'),
    );
    const { search } = addressOf(await newClient());
    const shown = async (cookie: string) =>
      (await test.request(`/oauth/consent${search}`, { key: null, headers: { Cookie: cookie } })).body;
    expect(await shown(await signIn('read_write', 'ann@shop.example'))).toEqual({
      client_name: 'Claude',
      destination: { kind: 'website', name: 'claude.ai' },
      organisation: 'Shop',
      user: 'ann@shop.example',
      scopes: ['read', 'read_write'],
      is_viewer: false,
      problem: null,
    });
    expect(await shown(await signIn('read'))).toMatchObject({
      scopes: ['read'],
      is_viewer: true,
      user: null,
    });
  });

  it('is answered by a signed-in person at the page, and by nobody else', async () => {
    const { search } = addressOf(await newClient());
    const body = { request: search, decision: 'allow', scope: 'read' };
    const cookie = await signIn();
    for (const headers of [
      {},
      { 'X-Loglane-Console': '1' },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'X-Loglane-Console': '1', Origin: 'https://claude.ai' },
      { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-site', Origin: BASE },
    ] as Record<string, string>[])
      expect((await consent(cookie, body, headers)).status).toBe(403);
    expect((await consent('', body)).status).toBe(401);
    expect((await consent('loglane_session=x', body)).status).toBe(401);
    const withKey = await test.request('/oauth/consent', { method: 'POST', body, headers: ofPage });
    expect(withKey.status).toBe(401);
    expect((await test.request(`/oauth/consent${search}`, { key: null })).status).toBe(401);
    expect((await consent(cookie, { ...body, request: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await consent(cookie, { ...body, scope: 'admin' })).status).toBe(400);
  });

  it('is denied with an error for the client', async () => {
    const { search } = addressOf(await newClient());
    const answer = await consent(await signIn(), { request: search, decision: 'deny', scope: 'read' });
    const back = new URL(answer.body.redirect_to).searchParams;
    expect([back.get('error'), back.get('state'), back.get('iss')]).toEqual(['access_denied', 's1', BASE]);
  });

  it('gives a viewer, and a client that asked to read, no right to write', async () => {
    const clientId = await newClient();
    const asked = (url: URL, cookie: string) =>
      consent(cookie, { request: url.search, decision: 'allow', scope: 'read_write' });
    expect((await asked(addressOf(clientId), await signIn('read'))).status).toBe(403);
    expect((await asked(addressOf(clientId, { scope: 'read' }), await signIn())).status).toBe(403);
    expect((await asked(addressOf(clientId, { scope: 'read_write' }), await signIn())).status).toBe(200);
  });
});

describe('a foe', () => {
  it.each([
    ['another client', { other: 'client' }],
    ['another address', { redirect_uri: 'https://claude.com/api/mcp/auth_callback' }],
    ['no address', { redirect_uri: '' }],
    ['no verifier', { code_verifier: '' }],
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['the challenge as verifier', { code_verifier: CHALLENGE }],
    ['a short verifier', { code_verifier: 'v' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['another grant', { grant_type: 'client_credentials' }],
    ['the code as refresh token', { grant_type: 'refresh_token' }],
  ] as [string, Record<string, string>][])(
    'gets nothing for a code with %s, and does not spoil it',
    async (_, more) => {
      const clientId = await newClient([REDIRECT, 'https://claude.com/api/mcp/auth_callback']);
      const code = (await allow(addressOf(clientId))).get('code')!;
      const { other, ...form } = more;
      const foe = other === undefined ? clientId : await newClient(undefined, 'Foe');
      const { status, body } = await token(redemption(foe, code, { ...form, refresh_token: code }));
      expect(status).toBe(400);
      expect(body.error).toMatch(/^invalid_(request|grant|target)$|^unsupported_grant_type$/);
      expect(connections()).toEqual([]);
      expect((await token(redemption(clientId, code))).status).toBe(200);
    },
  );

  it('with an unknown or changed client id is answered 401', async () => {
    const { clientId, refresh } = await connect();
    for (const id of [
      '',
      'x',
      clientId.slice(1),
      `${clientId.slice(0, -1)}!`,
      'https://foe.example/client.json',
    ]) {
      const { status, body, headers } = await token(refreshing(id, refresh));
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      expect(headers.get('WWW-Authenticate')).toContain('Bearer');
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    }
  });

  it('cannot use a code late, a changed code, or the id of a client as one', async () => {
    const clientId = await newClient();
    const code = (await allow(addressOf(clientId))).get('code')!;
    for (const other of [`${code}A`, code.slice(0, -1), clientId])
      expect((await token(redemption(clientId, other))).body.error).toBe('invalid_grant');
    test.advance(MINUTE_MS);
    expect((await token(redemption(clientId, code))).body.error).toBe('invalid_grant');
  });

  it('that redeems a code again ends the connection, also at another replica at the same time', async () => {
    const clientId = await newClient();
    const code = (await allow(addressOf(clientId))).get('code')!;
    const replica = await openReplica(test);
    const form = redemption(clientId, code);
    const answers = await Promise.all([token(form), token(form, replica)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await test.controlLog.drained();
    const { access_token, refresh_token } = answers.find(({ status }) => status === 200)!.body;
    expect(await callMcp(access_token)).toBe(401);
    expect((await token(refreshing(clientId, refresh_token))).body.error).toBe('invalid_grant');
    expect(connections()).toMatchObject([{ revokedAt: expect.any(String) }]);
  });

  it('finds no connection open after a process ended between redemption and answer', async () => {
    const clientId = await newClient();
    const code = (await allow(addressOf(clientId))).get('code')!;
    test.controlLog.hold();
    const lost = token(redemption(clientId, code));
    await new Promise((turn) => setTimeout(turn, 20));
    test.controlLog.release();
    await lost;
    // The client has no answer and asks again: it has to ask the person again.
    expect((await token(redemption(clientId, code))).body.error).toBe('invalid_grant');
    expect(connections().map(({ revokedAt }) => revokedAt !== null)).toEqual([true]);
  });

  it('has no use for a token outside of /mcp', async () => {
    const { access, refresh } = await connect('read_write');
    for (const key of [access, refresh]) {
      const { status, body } = await test.request('/public/v1/websites', { key });
      expect(status).toBe(401);
      expect(body.detail).not.toContain(key);
    }
    expect((await test.request('/public/v1/websites', { key: access })).body.detail).toContain('/mcp only');
    expect((await test.request('/console/session', { key: access })).status).toBe(401);
    const headers = { Cookie: `loglane_session=${access}` };
    expect((await test.request('/console/session', { key: null, headers })).status).toBe(401);
    expect(await callMcp(refresh)).toBe(401);
    expect(await callMcp(access)).toBe(200);
    // A header or an address can not take the program's place.
    const forged = await test.request('/public/v1/websites?throughMcp=true', {
      key: access,
      headers: { throughMcp: 'true' },
    });
    expect(forged.status).toBe(401);
  });

  it('with a refresh token needs its client, and gets no more than it has', async () => {
    const { refresh, clientId, access } = await connect();
    const foe = await newClient(undefined, 'Foe');
    expect((await token(refreshing(foe, refresh))).body.error).toBe('invalid_grant');
    expect((await token(refreshing(clientId, refresh, { scope: 'read read_write' }))).body.error).toBe(
      'invalid_scope',
    );
    expect(
      (await token(refreshing(clientId, refresh, { resource: 'https://other.example' }))).body.error,
    ).toBe('invalid_target');
    expect(await callMcp(access)).toBe(200);
    expect(
      (await token(refreshing(clientId, refresh, { scope: 'read', resource: `${BASE}/mcp` }))).status,
    ).toBe(200);
  });

  it('sends forms that are none, are long, or say things twice', async () => {
    const { clientId, refresh } = await connect();
    const json = { key: null, method: 'POST', body: refreshing(clientId, refresh) };
    expect((await test.request('/oauth/token', json)).body.error).toBe('invalid_request');
    expect((await token(refreshing(clientId, 'x'.repeat(20_000)))).status).toBe(413);
    const twice = `${new URLSearchParams(refreshing(clientId, refresh))}&refresh_token=x`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await test.request('/oauth/token', {
      key: null,
      method: 'POST',
      body: twice,
      headers: form,
    });
    expect(answer.body.error).toBe('invalid_request');
    expect((await token(refreshing(clientId, refresh))).headers.get('Cache-Control')).toBe('no-store');
  });

  it('finds no token, code or state in the log', async () => {
    const { access, refresh, code } = await connect();
    for (const secret of [access, refresh, code, CHALLENGE])
      expect(test.logged()).not.toContain(secret.slice(-30));
  });
});

describe('a revocation', () => {
  it('by the client ends the connection at once', async () => {
    const { clientId, access, refresh } = await connect();
    const foe = await newClient(undefined, 'Foe');
    for (const [client, what] of [
      [foe, refresh],
      [clientId, 'unknown'],
    ] as const)
      expect((await post('/oauth/revoke', { client_id: client, token: what })).status).toBe(200);
    expect(await callMcp(access)).toBe(200);
    expect((await post('/oauth/revoke', { client_id: clientId, token: refresh })).status).toBe(200);
    expect(await callMcp(access)).toBe(401);
    expect((await post('/oauth/revoke', { client_id: 'x', token: refresh })).status).toBe(401);
  });

  it('where the log takes nothing is answered with a repeat', async () => {
    const { clientId, refresh } = await connect();
    test.controlLog.failNextAppend();
    const { status, body, headers } = await token(refreshing(clientId, refresh));
    expect([status, body.error, headers.get('Retry-After')]).toEqual([503, 'temporarily_unavailable', '5']);
    expect((await token(refreshing(clientId, refresh))).status).toBe(200);
  });
});

describe('the settings of the console', () => {
  const list = async (cookie: string) =>
    (await test.request('/console/connections', { key: null, headers: { Cookie: cookie } })).body.connections;
  const revoke = (cookie: string, id: string, headers: Record<string, string> = ofPage) =>
    test.request('/console/connections/revoke', {
      key: null,
      method: 'POST',
      body: { id },
      headers: { Cookie: cookie, ...headers },
    });

  it('list the open connections of the organisation, without a secret', async () => {
    const { access } = await connect('read_write');
    const cookie = await signIn();
    expect(await list(cookie)).toEqual([
      {
        id: connections()[0]!.id,
        name: 'Claude',
        scope: 'read_write',
        user: null,
        created_at: new Date(test.options.now()).toISOString(),
        expires_at: new Date(test.options.now() + 30 * 24 * HOUR_MS).toISOString(),
        can_revoke: true,
      },
    ]);
    expect((await test.request('/console/connections', { key: access })).status).toBe(401);
    organisationId = test.foreignWebsite.organisationId;
    expect(await list(await signIn())).toEqual([]);
  });

  it('revoke one, for its owner and for the person who allowed it', async () => {
    granted(
      await test.control.execute({ type: 'addUser', organisationId, email: 'ann@shop.example' }, 'admin'),
    );
    const ann = await signIn('read', 'ann@shop.example');
    const clientId = await newClient();
    const tokensOf = async (cookie: string) => {
      const code = (await allow(addressOf(clientId), { cookie })).get('code')!;
      return (await token(redemption(clientId, code))).body.access_token as string;
    };
    const [byAnn, byOwner] = [await tokensOf(ann), await tokensOf(await signIn())];
    const [ofAnn, ofOwner] = connections().map(({ id }) => id);
    expect((await revoke(ann, ofOwner!)).status).toBe(403);
    expect((await revoke(ann, ofAnn!, {})).status).toBe(403);
    expect((await revoke(ann, ofAnn!)).status).toBe(200);
    expect((await revoke(ann, ofAnn!)).status).toBe(404);
    expect([await callMcp(byAnn), await callMcp(byOwner)]).toEqual([401, 200]);
    const key = [...test.control.state().apiKeys.values()].find(({ kind }) => kind === 'key')!;
    const owner = await signIn();
    expect((await revoke(owner, key.id)).status).toBe(404);
    organisationId = test.foreignWebsite.organisationId;
    expect((await revoke(await signIn(), ofOwner!)).status).toBe(404);
    expect((await revoke(owner, ofOwner!)).status).toBe(200);
    expect(await list(owner)).toEqual([]);
  });
});
