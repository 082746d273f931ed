import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { displayName } from '../../../shared/control/aggregates/organisation.js';
import { hasEnded } from '../../../shared/control/domain/client-tokens.js';
import { apiKeyScopes, type StoredApiKey } from '../../../shared/control/domain/model.js';
import { isIdle } from '../../../shared/control/domain/sessions.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller } from '../control/api-control.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import { bodyOf, parseBody } from '../operation/input.js';
import type { ApiServices } from '../operation/operation.js';
import { onlySession } from './session-routes.js';

/** API keys, sessions and connected clients of the organisation, for the console's settings. */

const MAX_BODY_BYTES = 1_024;
/** Listed, the newest first. */
const MOST_LISTED = 500;
/** Open API keys of one organisation that sessions may make: each is a record of the control log. An operator may make more. */
const MOST_KEYS = 200;
const wantedKey = z.strictObject({ name: displayName, scope: z.enum(apiKeyScopes) });
const wantedEnd = z.strictObject({ id: z.string() });

export function keyRoutes(services: ApiServices, now: () => number): Hono<ApiEnv> {
  const { control } = services;
  const routes = new Hono<ApiEnv>();
  const signedIn = [
    onlySession,
    authenticate(services, now),
    bodyLimit({ maxSize: MAX_BODY_BYTES }),
  ] as const;

  routes.get('/console/keys', ...signedIn, (c) => {
    const caller = c.get('caller');
    const open = openOnes(caller).toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
    const keys = open.slice(0, MOST_LISTED).map((key) => ({
      ...{ id: key.id, kind: key.kind, name: key.name, scope: key.scope },
      last4: key.kind === 'key' ? key.last4 : null,
      user: key.userId === null ? null : (control.state().users.get(key.userId)?.email ?? null),
      ...{ created_at: key.createdAt, seen_at: key.seenAt, expires_at: key.expiresAt },
      is_current: key.id === caller.apiKey.id,
      can_revoke: mayRevoke(caller, key),
    }));
    return c.json({ keys, total: open.length });
  });

  routes.post('/console/keys', ...signedIn, async (c) => {
    const caller = c.get('caller');
    if (caller.apiKey.scope !== 'read_write')
      throw new PublicError('read_only_key', 'Only an owner of the organisation makes API keys.');
    const { name, scope } = parseBody(wantedKey, await bodyOf(c));
    if (openOnes(caller).filter(({ kind }) => kind === 'key').length >= MOST_KEYS)
      throw new PublicError('conflict', `There are ${MOST_KEYS} API keys; revoke one that nobody uses.`);
    const { organisation, apiKey } = caller;
    const { clearText, apiKey: made } = await control.executeAsSystem({
      type: 'createApiKey',
      ...{ organisationId: organisation.id, name, scope, userId: apiKey.userId },
    });
    return c.json({ id: made.id, api_key: clearText }, 201);
  });

  routes.post('/console/keys/revoke', ...signedIn, async (c) => {
    const { id } = parseBody(wantedEnd, await bodyOf(c));
    const key = openOnes(c.get('caller')).find((each) => each.id === id);
    if (key === undefined) throw new PublicError('not_found', 'id: there is no such key.');
    if (!mayRevoke(c.get('caller'), key))
      throw new PublicError('read_only_key', 'A viewer can only end the own sessions and connections.');
    await control.executeAsSystem({ type: 'revokeApiKey', apiKeyId: id });
    return c.json({ revoked: id });
  });

  /** Ends the sessions that the caller may end, the caller's own session last. */
  routes.post('/console/keys/sign-out-all', ...signedIn, async (c) => {
    const caller = c.get('caller');
    const sessions = openOnes(caller).filter((key) => key.kind === 'session' && mayRevoke(caller, key));
    const ownLast = sessions.toSorted((one) => (one.id === caller.apiKey.id ? 1 : -1));
    for (const { id } of ownLast) await control.executeAsSystem({ type: 'revokeApiKey', apiKeyId: id });
    return c.json({ ended: sessions.length });
  });

  function openOnes({ organisation }: Caller): StoredApiKey[] {
    const keys = control.state().apiKeys.by('organisationId', organisation.id);
    const at = now();
    return keys.filter((key) => !hasEnded(key, at) && !(key.kind === 'session' && isIdle(key, at)));
  }
  return routes;
}

/** An owner ends everything. A viewer ends the session in use, and the own sessions and connections. */
function mayRevoke({ apiKey }: Caller, key: StoredApiKey): boolean {
  if (apiKey.scope === 'read_write' || apiKey.id === key.id) return true;
  return key.kind !== 'key' && apiKey.userId !== null && apiKey.userId === key.userId;
}
