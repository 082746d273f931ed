import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { findSignInLink } from '../../shared/control/domain/sessions.js';
import type { PublicUrls } from '../../shared/service/public-urls.js';
import { granted, openTestPlane } from '../../test/harness/control-plane.js';
import type { DeadLetterQueue } from './dead-letters/dead-letter-queue.js';
import { AdminError } from './instance/instance.js';
import { createProgram } from './program.js';
import { createAdminApp } from './server/admin-app.js';

let control: ControlPlane;
const now = Date.parse('2026-11-21T12:00:00Z');

beforeEach(async () => {
  ({ control } = await openTestPlane({ now: () => now }));
});

/** The output of one call of the command line. */
async function admin(
  words: readonly string[],
  { servesConsole = true, urls }: { servesConsole?: boolean; urls?: PublicUrls } = {},
): Promise<string> {
  const logger = pino({ level: 'silent' });
  const app = createAdminApp({ control, deadRecords: {} as DeadLetterQueue, logger, ...(urls && { urls }) });
  const send = async (path: string, init: RequestInit) => {
    const response = await app.request(path, init);
    const answer = (await response.json()) as { detail: string };
    if (response.status >= 400) throw new AdminError(answer.detail);
    return answer;
  };
  const printed: string[] = [];
  const program = createProgram({
    instance: {
      get: (path) => send(path, {}),
      post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    },
    print: (text) => printed.push(text),
    urls: { base: 'https://logs.example/tools', ingest: 'http://ingest.example/v1/logs' },
    servesConsole,
    detect: async () => ({ cdn: 'fastly', displayName: 'Fastly', compatible: true, sourceType: 'fastly' }),
  });
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync([...words], { from: 'user' });
  return printed.join('\n');
}

const adminJson = async (...words: string[]) => JSON.parse(await admin([...words, '--json']));
const linkIn = (text: string) => /https:\/\/logs\.example\/tools\/sign-in#(\S+)/.exec(text)![1]!;
const stored = (token: string) => findSignInLink(control.state(), token, now)!;

test('makes a viewer’s link for the only organisation, which is no part of a path or a query', async () => {
  const { id } = await adminJson('organisations', 'create', 'Shop');
  const printed = await admin(['sign-in']);
  expect(printed).toContain('once, until 2026-11-21T12:15:00.000Z');
  expect(stored(linkIn(printed))).toMatchObject({
    kind: 'sign_in_link',
    organisationId: id,
    userId: null,
    name: 'console',
    scope: 'read',
  });
});

test('makes an owner’s link for a person, by address or id', async () => {
  await adminJson('organisations', 'create', 'Other');
  const { id } = await adminJson('organisations', 'create', 'Shop');
  const user = await adminJson('users', 'add', id, 'ann@shop.example');
  for (const named of ['Ann@shop.example', user.id]) {
    const made = await adminJson('sign-in', '--user', named, '--role', 'owner');
    expect(made).toMatchObject({ role: 'owner', expires_at: '2026-11-21T12:15:00.000Z' });
    expect(stored(linkIn(made.link))).toMatchObject({
      organisationId: id,
      userId: user.id,
      name: 'console, ann@shop.example',
      scope: 'read_write',
    });
  }
});

test('refuses what it cannot make a link for', async () => {
  await expect(admin(['sign-in'])).rejects.toThrow('there is no organisation yet');
  const { id } = await adminJson('organisations', 'create', 'Shop');
  const other = await adminJson('organisations', 'create', 'Other');
  const user = await adminJson('users', 'add', id, 'ann@shop.example');
  await expect(admin(['sign-in'])).rejects.toThrow('there are several organisations');
  await expect(admin(['sign-in', '--user', 'bob@shop.example'])).rejects.toThrow('there is no user');
  await expect(admin(['sign-in', '--user', user.id, '--organisation', other.id])).rejects.toThrow(
    'in this organisation',
  );
  await expect(admin(['sign-in', '--organisation', 'org_none'])).rejects.toThrow('there is no organisation');
  await expect(admin(['sign-in', '--role', 'admin'])).rejects.toThrow();
  await expect(admin(['sign-in', '--organisation', id], { servesConsole: false })).rejects.toThrow(
    'the console is off (CONSOLE=false)',
  );
});

test('lists links and sessions with the API keys, by kind and without a digest, and revokes them there', async () => {
  const { id } = await adminJson('organisations', 'create', 'Shop');
  await adminJson('api-keys', 'create', id);
  const token = linkIn(await admin(['sign-in']));
  const outcome = await control.execute({ type: 'signIn', token }, 'system');
  if ('refusal' in outcome) throw new Error(outcome.refusal.detail);
  const listed = await adminJson('api-keys', 'list', id);
  expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['key', 'sign_in_link', 'session']);
  const text = JSON.stringify(listed) + (await admin(['api-keys', 'list', id]));
  for (const { digest } of control.state().apiKeys.values()) expect(text).not.toContain(digest);
  expect(text).not.toContain(token);
  expect(text).not.toContain(outcome.answer.clearText);

  const session = listed[2].id;
  await expect(admin(['api-keys', 'rotate', session])).rejects.toThrow('is a session');
  expect((await adminJson('api-keys', 'revoke', session)).api_key.revoked_at).not.toBeNull();
});

test('lists a connected client under its name, without a digest, and revokes it', async () => {
  const { id } = await adminJson('organisations', 'create', 'Shop');
  const token = linkIn(await admin(['sign-in']));
  const session = granted(await control.execute({ type: 'signIn', token }, 'system')).apiKey;
  const wish = {
    codeId: 'a'.repeat(24),
    clientDigest: 'b'.repeat(64),
    name: 'Claude',
    scope: 'read',
  } as const;
  granted(await control.execute({ type: 'redeemCode', ...wish, sessionId: session.id }, 'system'));
  const listed = (await adminJson('api-keys', 'list', id)).at(-1);
  expect(listed).toMatchObject({ kind: 'connection', name: 'Claude', scope: 'read', revoked_at: null });
  const texts = [
    JSON.stringify(listed),
    await admin(['api-keys', 'list', id]),
    await admin(['api-keys', 'revoke', listed.id, '--json']),
  ];
  const { digest, tokens, revokedAt } = control.state().apiKeys.get(listed.id)!;
  expect(revokedAt).not.toBeNull();
  for (const hidden of [digest, tokens!.clientDigest, tokens!.access[0]!.digest, tokens!.refresh[0]!])
    expect(texts.join()).not.toContain(hidden);
  await expect(admin(['api-keys', 'rotate', listed.id])).rejects.toThrow('can only be revoked');
});

test('names the address on which the running instance listens', async () => {
  await adminJson('organisations', 'create', 'Shop');
  const urls = { base: 'http://127.0.0.1:7080', ingest: 'http://127.0.0.1:7081/v1/logs' };
  expect(await admin(['sign-in'], { urls })).toMatch(/^http:\/\/127\.0\.0\.1:7080\/sign-in#/);
});
