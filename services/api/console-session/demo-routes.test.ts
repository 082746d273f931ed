import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { encodedBody } from '../answer-cache/encoded-body.js';
import { createApi } from '../app.js';
import type { LoadDemo } from './demo-routes.js';

const console = { page: encodedBody('<!doctype html>'), files: [] };
const ofPage = { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

/** An API whose only organisation is the demo's, and a session there. */
async function demoApi(
  loadDemo: LoadDemo | null,
  { name = 'Demo organisation', scope = 'read_write' as const } = {},
) {
  const test: TestApi = await createTestApi({ console, organisationName: name });
  const api = createApi({ ...test.options, registry: new Registry(), console, loadDemo });
  const { clearText: token } = granted(
    await test.control.execute(
      { type: 'createSignInLink', organisationId: test.website.organisationId, scope },
      'admin',
    ),
  );
  const answer = await api.request('/console/sign-in', {
    method: 'POST',
    headers: { ...ofPage, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const Cookie = answer.headers.get('Set-Cookie')!.split(';')[0]!;
  const call = async (method: string, headers: Record<string, string> = ofPage) => {
    const response = await api.request('/console/demo', { method, headers: { Cookie, ...headers } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return call;
}

it('runs once at a time, and reports how much is sent', async () => {
  let report: (percent: number) => void = () => {};
  let end: () => void = () => {};
  const load = vi.fn<LoadDemo>((percent) => {
    report = percent;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  const call = await demoApi(load);
  expect((await call('GET')).body).toMatchObject({ state: 'ready' });
  expect((await call('POST')).status).toBe(202);
  await call('POST');
  expect(load).toHaveBeenCalledTimes(1);
  report(40);
  expect((await call('GET')).body).toEqual({ state: 'running', percent: 40, error: null });
  end();
  await vi.waitFor(async () => expect((await call('GET')).body).toMatchObject({ state: 'done' }));
});

it('says why it failed, and can be repeated', async () => {
  const call = await demoApi(async () => {
    throw new Error('the website has 5 requests already');
  });
  await call('POST');
  await vi.waitFor(async () =>
    expect((await call('GET')).body).toMatchObject({
      state: 'failed',
      error: 'the website has 5 requests already',
    }),
  );
  expect((await call('POST')).status).toBe(202);
});

it('is refused to other organisations, to forged requests, and where there is no demo', async () => {
  const load = vi.fn<LoadDemo>(async () => {});
  const foreign = await demoApi(load, { name: 'Shop' });
  expect((await foreign('GET')).body).toMatchObject({ state: 'unavailable' });
  expect((await foreign('POST')).status).toBe(403);
  const own = await demoApi(load);
  expect((await own('POST', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect(load).not.toHaveBeenCalled();
  expect((await (await demoApi(null))('POST')).status).toBe(403);
});
