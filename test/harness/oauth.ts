import { beforeEach, expect } from 'vitest';
import { encodedBody } from '../../services/api/answer-cache/encoded-body.js';
import { createTestApi, type TestAnswer, type TestApi } from './api.js';
import { granted } from './control-plane.js';

export const BASE = 'https://api.example';
export const REDIRECT = 'https://claude.ai/api/mcp/auth_callback';
/** As the console's page sends them. */
export const ofPage = { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-origin' };
const VERIFIER = 'v'.repeat(43);
/** SHA-256 of the verifier. */
export const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';

type Scope = 'read' | 'read_write';

/** A new API with a console for each test; call it once at the top of a suite. */
export function useOAuthApi() {
  let test: TestApi;

  beforeEach(async () => {
    test = await createTestApi({ console: { page: encodedBody('<!doctype html>'), files: [] } });
  });

  /** Calls the API as a client does. */
  const fetchFn = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    test.api.fetch(new Request(url, init));

  const callMcp = async (token: string) =>
    (
      await fetchFn(`${BASE}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      })
    ).status;

  /** @returns the cookie of a new session. */
  async function signIn(
    scope: Scope = 'read_write',
    { user, organisationId = test.website.organisationId }: { user?: string; organisationId?: string } = {},
  ): Promise<string> {
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
    { cookie, scope = 'read' }: { cookie?: string; scope?: Scope } = {},
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
  async function connect(scope: Scope = 'read') {
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

  return {
    api: () => test,
    ...{ fetchFn, callMcp, signIn, consent, allow, register, newClient, post, token, addressOf },
    ...{ redemption, refreshing, connect, connections },
  };
}
