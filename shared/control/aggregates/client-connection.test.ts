import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { granted, openTestPlane, type TestPlane } from '../../../test/harness/control-plane.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import {
  ACCESS_TOKEN_MS,
  CONNECTION_IDLE_MS,
  findConnection,
  MOST_TOKENS,
  REPEAT_MS,
} from '../domain/client-tokens.js';
import { digestOf } from '../domain/keys.js';
import type { Exchange } from './client-connection.js';
import { MOST_CLIENT_CONNECTIONS } from './organisation-room.js';

let now: number;
let plane: TestPlane;
let organisationId: string;
let sessionId: string;
let userId: string;
let codes = 0;

const clientDigest = digestOf('client');
const newCode = () => (codes++).toString(16).padStart(24, '0');
const state = () => plane.control.state();

beforeEach(async () => {
  now = Date.parse('2026-11-21T12:00:00Z');
  plane = await openTestPlane({ now: () => now });
  ({ id: organisationId } = granted(
    await plane.control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  ));
  ({ id: userId } = granted(
    await plane.control.execute({ type: 'addUser', organisationId, email: 'ann@shop.example' }, 'admin'),
  ));
  sessionId = await signIn('read_write');
});

async function signIn(scope: 'read' | 'read_write'): Promise<string> {
  const link = { type: 'createSignInLink', organisationId, user: userId, scope } as const;
  const { clearText } = granted(await plane.control.execute(link, 'admin'));
  return granted(await plane.control.execute({ type: 'signIn', token: clearText }, 'system')).apiKey.id;
}

const redeem = (codeId: string, more: { scope?: 'read' | 'read_write'; sessionId?: string } = {}) =>
  plane.control.execute(
    { type: 'redeemCode', codeId, clientDigest, name: 'Claude', scope: 'read', sessionId, ...more },
    'system',
  );
const refresh = (refreshToken: string, digest = clientDigest) =>
  plane.control.execute({ type: 'refreshConnection', refreshToken, clientDigest: digest }, 'system');

type Made = Extract<Exchange, { reused: false }>;
const made = async (outcome: ReturnType<typeof redeem>) => granted(await outcome) as Made;
const isOpen = (token: string) => findConnection(state(), token, now) !== null;
const isRefused = async (outcome: ReturnType<typeof redeem>) => 'refusal' in (await outcome);

describe('a code', () => {
  test('becomes a connection named after the client, of the person who allowed it', async () => {
    const { connection, accessToken } = await made(redeem(newCode()));
    expect(connection).toMatchObject({
      kind: 'connection',
      organisationId,
      userId,
      name: 'Claude',
      scope: 'read',
      expiresAt: new Date(now + CONNECTION_IDLE_MS).toISOString(),
    });
    expect(findConnection(state(), accessToken, now)?.id).toBe(connection.id);
  });

  test('that is redeemed twice ends its connection', async () => {
    const code = newCode();
    const { accessToken, refreshToken } = await made(redeem(code));
    expect(granted(await redeem(code))).toEqual({ reused: true });
    expect(isOpen(accessToken)).toBe(false);
    expect(await isRefused(refresh(refreshToken))).toBe(true);
    expect(granted(await redeem(code))).toEqual({ reused: true });
  });

  test('that two calls redeem at once gives at most one of them tokens, which have ended', async () => {
    const replica = await openTestPlane({ now: () => now, log: plane.log });
    const code = newCode();
    const wish = { codeId: code, clientDigest, name: 'Claude', scope: 'read', sessionId } as const;
    const outcomes = await Promise.all(
      [plane, replica].map(({ control }) => control.execute({ type: 'redeemCode', ...wish }, 'system')),
    );
    const answers = outcomes.map((outcome) => granted(outcome));
    expect(answers.map(({ reused }) => reused).sort()).toEqual([false, true]);
    await plane.log.drained();
    const [tokens] = answers.filter((each): each is Made => !each.reused);
    for (const { control } of [plane, replica])
      expect(findConnection(control.state(), tokens!.accessToken, now)).toBeNull();
  });

  test('that a process redeemed which ended before its answer gives nobody tokens', async () => {
    const code = newCode();
    const lost = await made(redeem(code));
    await plane.control.close();
    plane = await openTestPlane({ now: () => now, log: plane.log });
    expect(isOpen(lost.accessToken)).toBe(true);
    // The client repeats the call, and then asks the person again.
    expect(granted(await redeem(code))).toEqual({ reused: true });
    expect(isOpen(lost.accessToken)).toBe(false);
    expect(await isRefused(refresh(lost.refreshToken))).toBe(true);
  });

  test('needs the session that allowed it, of the same right', async () => {
    const viewer = await signIn('read');
    expect(await isRefused(redeem(newCode(), { sessionId: viewer, scope: 'read_write' }))).toBe(true);
    expect(await isRefused(redeem(newCode(), { sessionId: 'key_none' }))).toBe(true);
    granted(await plane.control.execute({ type: 'revokeApiKey', apiKeyId: sessionId }, 'admin'));
    expect(await isRefused(redeem(newCode()))).toBe(true);
  });

  test('of a viewer with 50 connections is refused, and leaves room for others', async () => {
    const viewer = await signIn('read');
    for (let each = 0; each < 50; each++) await redeem(newCode(), { sessionId: viewer });
    expect(await redeem(newCode(), { sessionId: viewer })).toMatchObject({ refusal: { code: 'conflict' } });
    expect(granted(await redeem(newCode()))).toMatchObject({ reused: false });
  });

  test('of an organisation with very many connections is refused', async () => {
    for (let each = 0; each < MOST_CLIENT_CONNECTIONS; each++) await redeem(newCode());
    expect(await redeem(newCode())).toMatchObject({ refusal: { code: 'conflict' } });
  });
});

describe('a refresh', () => {
  test('replaces the refresh token, and the connection lives on', async () => {
    let { refreshToken, connection } = await made(redeem(newCode()));
    for (let day = 0; day < 60; day += 20) {
      now += 20 * DAY_MS;
      const next = await made(refresh(refreshToken));
      expect(next.refreshToken).not.toBe(refreshToken);
      expect(next.connection.id).toBe(connection.id);
      expect(isOpen(next.accessToken)).toBe(true);
      ({ refreshToken, connection } = next);
    }
    now += CONNECTION_IDLE_MS;
    expect(await isRefused(refresh(refreshToken))).toBe(true);
  });

  test('with a used token ends the connection, however old the token is', async () => {
    const first = await made(redeem(newCode()));
    let last = first;
    for (let hour = 0; hour < 10; hour++) {
      now += HOUR_MS;
      last = await made(refresh(last.refreshToken));
    }
    expect(granted(await refresh(first.refreshToken))).toEqual({ reused: true });
    expect(isOpen(last.accessToken)).toBe(false);
    expect(await isRefused(refresh(last.refreshToken))).toBe(true);
  });

  test('can be repeated for some seconds by a client that got no answer; one of the answers ends the others', async () => {
    const first = await made(redeem(newCode()));
    const lost = await made(refresh(first.refreshToken));
    now += REPEAT_MS - 1;
    const repeated = await made(refresh(first.refreshToken));
    expect(isOpen(repeated.accessToken)).toBe(true);
    const next = await made(refresh(repeated.refreshToken));
    now += REPEAT_MS;
    expect(granted(await refresh(lost.refreshToken))).toEqual({ reused: true });
    expect(isOpen(next.accessToken)).toBe(false);
  });

  test('cannot be repeated later', async () => {
    const first = await made(redeem(newCode()));
    await made(refresh(first.refreshToken));
    now += REPEAT_MS;
    expect(granted(await refresh(first.refreshToken))).toEqual({ reused: true });
  });

  test('that is repeated without end is refused for some minutes, and ends nothing', async () => {
    const { refreshToken, connection } = await made(redeem(newCode()));
    let last = refreshToken;
    for (let each = 1; each < MOST_TOKENS; each++)
      ({ refreshToken: last } = await made(refresh(refreshToken)));
    const before = plane.log.records.length;
    for (const token of [refreshToken, last])
      expect(await refresh(token)).toMatchObject({ refusal: { code: 'rate_limited' } });
    expect(plane.log.records.length).toBe(before);
    now += 10 * MINUTE_MS;
    last = (await made(refresh(last))).refreshToken;
    for (let hour = 0; hour < 5; hour++) {
      now += HOUR_MS;
      last = (await made(refresh(last))).refreshToken;
    }
    const { access, refresh: left } = state().apiKeys.get(connection.id)!.tokens!;
    expect([access.length, left.length]).toEqual([1, 1]);
  });

  test('of another client is refused, and ends nothing', async () => {
    const { refreshToken, accessToken } = await made(redeem(newCode()));
    expect(await isRefused(refresh(refreshToken, digestOf('other')))).toBe(true);
    expect(isOpen(accessToken)).toBe(true);
    await made(refresh(refreshToken));
  });

  test('with an invented token ends nothing, even where the connection is known', async () => {
    const { refreshToken, accessToken, connection } = await made(redeem(newCode()));
    for (const token of [
      '',
      accessToken,
      `llrefresh_${'a'.repeat(86)}`,
      `llrefresh_${connection.digest}`,
      `${refreshToken}a`,
      refreshToken.slice(0, -1),
    ])
      expect(await isRefused(refresh(token))).toBe(true);
    expect(isOpen(accessToken)).toBe(true);
  });
});

describe('an access token', () => {
  test('works for an hour, also after a refresh', async () => {
    const { accessToken, refreshToken } = await made(redeem(newCode()));
    await made(refresh(refreshToken));
    now += ACCESS_TOKEN_MS - 1;
    expect(isOpen(accessToken)).toBe(true);
    now += 1;
    expect(isOpen(accessToken)).toBe(false);
  });

  test('with any changed character opens nothing', async () => {
    const { accessToken } = await made(redeem(newCode()));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: accessToken.length - 1 }),
        fc.constantFrom(...'0aZ_-'),
        (at, character) => {
          fc.pre(accessToken[at] !== character);
          expect(isOpen(accessToken.slice(0, at) + character + accessToken.slice(at + 1))).toBe(false);
        },
      ),
    );
  });
});

describe('a connection', () => {
  test.each(['accessToken', 'refreshToken'] as const)(
    'ends when its client revokes the %s',
    async (which) => {
      const tokens = await made(redeem(newCode()));
      const revoke = (digest: string) =>
        plane.control.execute({ type: 'revokeToken', token: tokens[which], clientDigest: digest }, 'system');
      granted(await revoke(digestOf('other')));
      expect(isOpen(tokens.accessToken)).toBe(true);
      granted(await revoke(clientDigest));
      expect(isOpen(tokens.accessToken)).toBe(false);
      granted(await revoke(clientDigest));
    },
  );

  test('ends with its user, with its organisation, and where an operator revokes it', async () => {
    const [byKey, byUser] = [await made(redeem(newCode())), await made(redeem(newCode()))];
    const revoke = { type: 'revokeApiKey', apiKeyId: byKey.connection.id } as const;
    granted(await plane.control.execute(revoke, 'admin'));
    expect([isOpen(byKey.accessToken), isOpen(byUser.accessToken)]).toEqual([false, true]);
    const late = newCode();
    granted(await plane.control.execute({ type: 'eraseUser', userId }, 'admin'));
    expect(isOpen(byUser.accessToken)).toBe(false);
    expect(await isRefused(refresh(byUser.refreshToken))).toBe(true);
    expect(await isRefused(redeem(late))).toBe(true);
  });

  test('of an erased organisation has ended', async () => {
    const { accessToken, refreshToken } = await made(redeem(newCode()));
    granted(await plane.control.execute({ type: 'eraseOrganisation', organisationId }, 'admin'));
    expect(isOpen(accessToken)).toBe(false);
    expect(await isRefused(refresh(refreshToken))).toBe(true);
  });

  test('leaves the state some time after its end', async () => {
    const ended = await made(redeem(newCode()));
    const idle = await made(redeem(newCode()));
    const revoke = { type: 'revokeApiKey', apiKeyId: ended.connection.id } as const;
    granted(await plane.control.execute(revoke, 'admin'));
    const ids = () =>
      [...state().apiKeys.values()].filter(({ kind }) => kind === 'connection').map(({ id }) => id);
    now += 2 * DAY_MS;
    sessionId = await signIn('read');
    expect(ids()).toEqual([idle.connection.id]);
    now += CONNECTION_IDLE_MS;
    await signIn('read');
    expect(ids()).toEqual([]);
  });

  test('cannot be rotated, and no secret is in the log', async () => {
    const { connection, accessToken, refreshToken } = await made(redeem(newCode()));
    const rotate = { type: 'rotateApiKey', apiKeyId: connection.id } as const;
    expect(await plane.control.execute(rotate, 'admin')).toMatchObject({ refusal: { code: 'conflict' } });
    const next = await made(refresh(refreshToken));
    const written = plane.log.records.map(({ value }) => value.toString('latin1')).join() + plane.logged();
    for (const secret of [accessToken, refreshToken, next.accessToken, next.refreshToken])
      expect(written).not.toContain(secret.slice(-43));
    expect(written).not.toContain(refreshToken.slice(10, 53));
  });
});
