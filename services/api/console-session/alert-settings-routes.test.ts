import { beforeEach, expect, it } from 'vitest';
import { alertTypeNames } from '../../../shared/alerts/alert.js';
import { alertSettingsOf } from '../../../shared/control/aggregates/alert-settings.js';
import { createTestApi, type TestApi } from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { encodedBody } from '../answer-cache/encoded-body.js';

const ofPage = { 'X-Loglane-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

let test: TestApi;
beforeEach(async () => {
  test = await createTestApi({ console: { page: encodedBody('<!doctype html>'), files: [] } });
});

async function signIn(
  scope: 'read' | 'read_write',
  organisationId = test.website.organisationId,
): Promise<string> {
  const { clearText: token } = granted(
    await test.control.execute({ type: 'createSignInLink', organisationId, scope }, 'admin'),
  );
  const answer = await test.request('/console/sign-in', {
    ...{ key: null, method: 'POST', body: { token }, headers: ofPage },
  });
  return answer.headers.get('Set-Cookie')!.split(';')[0]!;
}

const change = (Cookie: string, body: object, headers: Record<string, string> = ofPage) =>
  test.request(`/console/websites/${test.website.id}/alert-settings`, {
    ...{ key: null, method: 'PATCH', body, headers: { Cookie, ...headers } },
  });
const settings = () => alertSettingsOf(test.control.state(), test.website.id);

it('changes the given settings for an owner, with an entry on the timeline', async () => {
  const owner = await signIn('read_write');
  const body = { traffic_frequency_minutes: 30, suppressed_bots: ['AhrefsBot'] };
  expect((await change(owner, body)).body).toEqual({ changed: Object.keys(body) });
  expect(settings()).toMatchObject({ ...body, error_frequency_minutes: 5 });
  expect(test.controlLog.records.map(({ value }) => value.toString('latin1')).join()).toContain(
    'Alert settings changed: traffic_frequency_minutes, suppressed_bots',
  );
});

it('names only the settings that have another value', async () => {
  const owner = await signIn('read_write');
  const body = { digest_enabled: true, alerts_enabled: true, suppressed_bots: [] };
  expect((await change(owner, body)).body).toEqual({ changed: ['digest_enabled'] });
  expect((await change(owner, body)).body).toEqual({ changed: [] });
  const log = test.controlLog.records.map(({ value }) => value.toString('latin1')).join();
  expect(log.match(/Alert settings changed: [a-z_, ]*/g)).toEqual(['Alert settings changed: digest_enabled']);
});

it.each([
  [{ traffic_frequency_minutes: 7 }, 'traffic_frequency_minutes: expected a multiple of 5, got 7.'],
  [{ digest_send_hour_utc: 24 }, 'digest_send_hour_utc: expected at most 23, got 24.'],
  [
    { email_disabled_types: [...alertTypeNames, ...alertTypeNames] },
    expect.stringMatching(/^email_disabled_types: expected at most \d+ entries/),
  ],
  [{ suppressed_bots: ['a', ' '] }, 'suppressed_bots[1]: expected at least 1 character, got " ".'],
  [{ webhook_urls: ['https://evil.example/'] }, expect.stringMatching(/^webhook_urls: unknown field/)],
])('refuses %j, naming the field', async (body, detail) => {
  const before = settings();
  expect(await change(await signIn('read_write'), body)).toMatchObject({ status: 400, body: { detail } });
  expect(settings()).toEqual(before);
});

it('is refused to viewers, other organisations, forged requests and API keys', async () => {
  const body = { alerts_enabled: false };
  const foreign = await signIn('read_write', test.foreignWebsite.organisationId);
  expect((await change(await signIn('read'), body)).status).toBe(403);
  expect((await change(foreign, body)).status).toBe(404);
  expect((await change(await signIn('read_write'), body, {})).status).toBe(403);
  const { readWrite: key } = test.keys;
  const path = `/console/websites/${test.website.id}/alert-settings`;
  expect((await test.request(path, { key, method: 'PATCH', body })).status).toBe(401);
  expect(settings().alerts_enabled).toBe(true);
});

it('counts as a write: the control log grows by 120 changes an hour at most', async () => {
  const owner = await signIn('read_write');
  const answers = [];
  for (let turn = 0; turn <= 120; turn += 1)
    answers.push((await change(owner, { digest_enabled: turn % 2 === 0 })).status);
  expect(answers.filter((status) => status === 200)).toHaveLength(120);
  expect(answers.at(-1)).toBe(429);
});
