import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../shared/durations.js';
import { granted } from '../../../test/harness/control-plane.js';
import { BASE, ofPage, REDIRECT, useOAuthApi } from '../../../test/harness/oauth.js';

/** A client asks, a person answers, and later revokes. */

const {
  api,
  fetchFn,
  callMcp,
  signIn,
  consent,
  allow,
  newClient,
  token,
  addressOf,
  redemption,
  connect,
  connections,
} = useOAuthApi();

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
      const shown = await api().request(`/oauth/consent${url.search}`, {
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
      await api().control.execute(
        { type: 'addUser', organisationId: api().website.organisationId, email: 'ann@shop.example' },
        'admin',
      ),
    );
    const { search } = addressOf(await newClient());
    const shown = async (cookie: string) =>
      (await api().request(`/oauth/consent${search}`, { key: null, headers: { Cookie: cookie } })).body;
    expect(await shown(await signIn('read_write', { user: 'ann@shop.example' }))).toEqual({
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
    const withKey = await api().request('/oauth/consent', { method: 'POST', body, headers: ofPage });
    expect(withKey.status).toBe(401);
    expect((await api().request(`/oauth/consent${search}`, { key: null })).status).toBe(401);
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

describe('the settings of the console', () => {
  const list = async (cookie: string) =>
    (await api().request('/console/keys', { key: null, headers: { Cookie: cookie } })).body.keys.filter(
      ({ kind }: { kind: string }) => kind === 'connection',
    );
  const revoke = (cookie: string, id: string, headers: Record<string, string> = ofPage) =>
    api().request('/console/keys/revoke', {
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
        kind: 'connection',
        name: 'Claude',
        scope: 'read_write',
        last4: null,
        user: null,
        created_at: new Date(api().options.now()).toISOString(),
        seen_at: null,
        is_current: false,
        expires_at: new Date(api().options.now() + 30 * 24 * HOUR_MS).toISOString(),
        can_revoke: true,
      },
    ]);
    expect((await api().request('/console/keys', { key: access })).status).toBe(401);
    const { organisationId } = api().foreignWebsite;
    expect(await list(await signIn('read', { organisationId }))).toEqual([]);
  });

  it('revoke one, for its owner and for the person who allowed it', async () => {
    granted(
      await api().control.execute(
        { type: 'addUser', organisationId: api().website.organisationId, email: 'ann@shop.example' },
        'admin',
      ),
    );
    const ann = await signIn('read', { user: 'ann@shop.example' });
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
    const owner = await signIn();
    const { organisationId } = api().foreignWebsite;
    expect((await revoke(await signIn('read_write', { organisationId }), ofOwner!)).status).toBe(404);
    expect((await revoke(owner, ofOwner!)).status).toBe(200);
    expect(await list(owner)).toEqual([]);
  });
});
