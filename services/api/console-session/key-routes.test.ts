import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../shared/durations.js';
import { createTestApi, type TestApi } from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { encodedBody } from '../answer-cache/encoded-body.js';

const console = { page: encodedBody('<!doctype html>'), files: [] };
const ofPage = { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

let test: TestApi;
let organisationId: string;
beforeEach(async () => {
  test = await createTestApi({ console });
  organisationId = test.website.organisationId;
});

async function signIn(
  options: { scope?: 'read' | 'read_write'; user?: string; organisationId?: string } = {},
) {
  const command = { type: 'createSignInLink', organisationId, scope: 'read_write', ...options } as const;
  const { clearText } = granted(await test.control.execute(command, 'admin'));
  const answer = await test.request('/console/sign-in', {
    ...{ key: null, method: 'POST', body: { token: clearText }, headers: ofPage },
  });
  return answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
}

const list = async (cookie: string) =>
  (await test.request('/console/keys', { key: null, headers: { Cookie: cookie } })).body.keys as Record<
    string,
    unknown
  >[];
const post = (cookie: string, path: string, body: object, headers: Record<string, string> = ofPage) =>
  test.request(path, { key: null, method: 'POST', body, headers: { Cookie: cookie, ...headers } });
const websites = async (key: string) =>
  (await test.request('/public/v1/websites', { key: null, headers: { Authorization: `Bearer ${key}` } }))
    .status;

const addUser = async (email: string) =>
  granted(await test.control.execute({ type: 'addUser', organisationId, email }, 'admin'));

describe('the keys in the settings', () => {
  it('are those of the organisation that are open, without a secret', async () => {
    const cookie = await signIn();
    const kinds = (await list(cookie)).map(({ kind }) => kind);
    expect(kinds).toContain('key');
    expect(kinds).toContain('session');
    expect(JSON.stringify(await list(cookie))).not.toContain('digest');
    expect((await list(cookie)).filter(({ is_current }) => is_current)).toHaveLength(1);
    const foreign = await signIn({ organisationId: test.foreignWebsite.organisationId });
    const own = new Set((await list(cookie)).map(({ id }) => id));
    expect((await list(foreign)).some(({ id }) => own.has(id))).toBe(false);
  });

  it('leave out sessions that were idle for too long', async () => {
    await signIn();
    test.advance(13 * HOUR_MS);
    const sessions = (await list(await signIn())).filter(({ kind }) => kind === 'session');
    expect(sessions).toHaveLength(1);
  });

  it('are made by an owner, shown once, and end when they are revoked', async () => {
    const cookie = await signIn();
    const made = await post(cookie, '/console/keys', { name: 'Agent', scope: 'read' });
    expect(made.status).toBe(201);
    expect(await websites(made.body.api_key)).toBe(200);
    expect(JSON.stringify(await list(cookie))).not.toContain(made.body.api_key);
    expect((await post(cookie, '/console/keys/revoke', { id: made.body.id }, {})).status).toBe(403);
    expect((await post(cookie, '/console/keys/revoke', { id: made.body.id })).status).toBe(200);
    expect(await websites(made.body.api_key)).toBe(401);
    expect((await post(cookie, '/console/keys/revoke', { id: made.body.id })).status).toBe(404);
  });

  it('are neither made nor ended by a viewer, nor by another organisation', async () => {
    const viewer = await signIn({ scope: 'read' });
    expect((await post(viewer, '/console/keys', { name: 'Agent', scope: 'read' })).status).toBe(403);
    const key = (await list(viewer)).find(({ kind }) => kind === 'key')!;
    expect((await post(viewer, '/console/keys/revoke', { id: key.id })).status).toBe(403);
    const foreign = await signIn({ organisationId: test.foreignWebsite.organisationId });
    expect((await post(foreign, '/console/keys/revoke', { id: key.id })).status).toBe(404);
  });

  it('are at most 200 that sessions made', async () => {
    const cookie = await signIn();
    const open = (await list(cookie)).filter(({ kind }) => kind === 'key').length;
    for (let made = open; made < 200; made += 1)
      granted(await test.control.execute({ type: 'createApiKey', organisationId, name: 'k' }, 'admin'));
    expect((await post(cookie, '/console/keys', { name: 'Agent', scope: 'read' })).status).toBe(409);
  });
});

describe('signing out all sessions', () => {
  it('ends every session of the organisation for an owner', async () => {
    const [one, other] = [await signIn(), await signIn({ scope: 'read' })];
    expect((await post(one, '/console/keys/sign-out-all', {})).body).toEqual({ ended: 2 });
    for (const cookie of [one, other])
      expect(
        (await test.request('/console/session', { key: null, headers: { Cookie: cookie } })).status,
      ).toBe(401);
  });

  it('ends only the own sessions of a viewer', async () => {
    await addUser('ann@shop.example');
    const [ann, again, owner] = [
      await signIn({ scope: 'read', user: 'ann@shop.example' }),
      await signIn({ scope: 'read', user: 'ann@shop.example' }),
      await signIn(),
    ];
    expect((await post(ann, '/console/keys/sign-out-all', {})).body).toEqual({ ended: 2 });
    const status = async (cookie: string) =>
      (await test.request('/console/session', { key: null, headers: { Cookie: cookie } })).status;
    expect([await status(again), await status(owner)]).toEqual([401, 200]);
  });
});
