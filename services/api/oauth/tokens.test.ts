import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { openReplica } from '../../../test/harness/api.js';
import { BASE, CHALLENGE, REDIRECT, useOAuthApi } from '../../../test/harness/oauth.js';

/** Codes and tokens, as a foe uses them. */

const {
  api,
  callMcp,
  allow,
  newClient,
  post,
  token,
  addressOf,
  redemption,
  refreshing,
  connect,
  connections,
} = useOAuthApi();

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

  it('stops no client with a valid token by refused calls from the same address', async () => {
    const { clientId, refresh } = await connect();
    let status = 0;
    for (let call = 0; call < 301; call++) ({ status } = await token(refreshing('x', refresh)));
    expect(status).toBe(429);
    expect((await token(refreshing(clientId, refresh))).status).toBe(200);
  });

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
    api().advance(MINUTE_MS);
    expect((await token(redemption(clientId, code))).body.error).toBe('invalid_grant');
  });

  it('that redeems a code again ends the connection, also at another replica at the same time', async () => {
    const clientId = await newClient();
    const code = (await allow(addressOf(clientId))).get('code')!;
    const replica = await openReplica(api());
    const form = redemption(clientId, code);
    const answers = await Promise.all([token(form), token(form, replica)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await api().controlLog.drained();
    const { access_token, refresh_token } = answers.find(({ status }) => status === 200)!.body;
    expect(await callMcp(access_token)).toBe(401);
    expect((await token(refreshing(clientId, refresh_token))).body.error).toBe('invalid_grant');
    expect(connections()).toMatchObject([{ revokedAt: expect.any(String) }]);
  });

  it('finds no connection open after a process ended between redemption and answer', async () => {
    const clientId = await newClient();
    const code = (await allow(addressOf(clientId))).get('code')!;
    api().controlLog.hold();
    const lost = token(redemption(clientId, code));
    await new Promise((turn) => setTimeout(turn, 20));
    api().controlLog.release();
    await lost;
    // The client has no answer and asks again: it has to ask the person again.
    expect((await token(redemption(clientId, code))).body.error).toBe('invalid_grant');
    expect(connections().map(({ revokedAt }) => revokedAt !== null)).toEqual([true]);
  });

  it('does not make a client lose its tokens that refreshes at two replicas at the same time', async () => {
    const { clientId, refresh } = await connect();
    const replica = await openReplica(api());
    const form = refreshing(clientId, refresh);
    const answers = await Promise.all([token(form), token(form, replica)]);
    await api().controlLog.drained();
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(await callMcp(body.access_token)).toBe(200);
    }
    expect((await token(refreshing(clientId, answers[0]!.body.refresh_token))).status).toBe(200);
  });

  it('has no use for a token outside of /mcp', async () => {
    const { access, refresh } = await connect('read_write');
    for (const key of [access, refresh]) {
      const { status, body } = await api().request('/public/v1/websites', { key });
      expect(status).toBe(401);
      expect(body.detail).not.toContain(key);
    }
    expect((await api().request('/public/v1/websites', { key: access })).body.detail).toContain('/mcp only');
    expect((await api().request('/console/session', { key: access })).status).toBe(401);
    const headers = { Cookie: `loglane_session=${access}` };
    expect((await api().request('/console/session', { key: null, headers })).status).toBe(401);
    expect(await callMcp(refresh)).toBe(401);
    expect(await callMcp(access)).toBe(200);
    // A header or an address can not take the program's place.
    const forged = await api().request('/public/v1/websites?throughMcp=true', {
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
    expect((await api().request('/oauth/token', json)).body.error).toBe('invalid_request');
    expect((await token(refreshing(clientId, 'x'.repeat(20_000)))).status).toBe(413);
    const twice = `${new URLSearchParams(refreshing(clientId, refresh))}&refresh_token=x`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await api().request('/oauth/token', {
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
      expect(api().logged()).not.toContain(secret.slice(-30));
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

  it('of unknown tokens, which anyone can send, fills no log', async () => {
    const { clientId, code, refresh } = await connect();
    const count = (text: string, level: number) =>
      api()
        .logged()
        .split('\n')
        .filter((line) => line.includes(text) && JSON.parse(line).level >= level).length;
    const before = count('revokeToken', 30);
    for (let call = 0; call < 20; call++)
      expect((await post('/oauth/revoke', { client_id: clientId, token: `unknown ${call}` })).status).toBe(
        200,
      );
    expect(count('revokeToken', 30)).toBe(before);
    await post('/oauth/revoke', { client_id: clientId, token: refresh });
    for (let call = 0; call < 20; call++)
      expect((await token(redemption(clientId, code))).body.error).toBe('invalid_grant');
    expect(count('used twice', 40)).toBeLessThanOrEqual(3);
  });

  it('where the log takes nothing is answered with a repeat', async () => {
    const { clientId, refresh } = await connect();
    api().controlLog.failNextAppend();
    const { status, body, headers } = await token(refreshing(clientId, refresh));
    expect([status, body.error, headers.get('Retry-After')]).toEqual([503, 'temporarily_unavailable', '5']);
    expect((await token(refreshing(clientId, refresh))).status).toBe(200);
  });
});
