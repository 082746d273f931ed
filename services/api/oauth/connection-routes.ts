import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { hasEnded } from '../../../shared/control/domain/client-tokens.js';
import type { StoredApiKey } from '../../../shared/control/domain/model.js';
import { PublicError } from '../../../shared/errors.js';
import { onlySession } from '../console-session/session-routes.js';
import type { Caller } from '../control/api-control.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import { bodyOf, parseBody } from '../operation/input.js';
import type { OAuthOptions } from './oauth-options.js';

/** The clients that people of an organisation connected, for the console's settings. */

const MAX_BODY_BYTES = 1_024;
const wantedEnd = z.strictObject({ id: z.string() });

export function connectionRoutes({ services, now }: OAuthOptions): Hono<ApiEnv> {
  const { control } = services;
  const routes = new Hono<ApiEnv>();
  const signedIn = [onlySession, authenticate(services, now)] as const;

  routes.get('/console/connections', ...signedIn, (c) => {
    const state = control.state();
    const connections = openOnes(c.get('caller')).map((connection) => {
      const { id, name, scope, userId, createdAt, expiresAt } = connection;
      return {
        ...{ id, name, scope },
        user: userId === null ? null : (state.users.get(userId)?.email ?? null),
        created_at: createdAt,
        expires_at: expiresAt,
        can_revoke: mayRevoke(c.get('caller'), connection),
      };
    });
    return c.json({ connections });
  });

  routes.post(
    '/console/connections/revoke',
    ...signedIn,
    bodyLimit({ maxSize: MAX_BODY_BYTES }),
    async (c) => {
      const { id } = parseBody(wantedEnd, await bodyOf(c));
      const connection = openOnes(c.get('caller')).find((each) => each.id === id);
      if (connection === undefined) throw new PublicError('not_found', 'id: there is no such connection.');
      if (!mayRevoke(c.get('caller'), connection))
        throw new PublicError('read_only_key', 'A viewer can only revoke the own connections.');
      await control.executeAsSystem({ type: 'revokeApiKey', apiKeyId: id });
      return c.json({ revoked: id });
    },
  );

  function openOnes({ organisation }: Caller): StoredApiKey[] {
    const keys = control.state().apiKeys.by('organisationId', organisation.id);
    return keys.filter((key) => key.kind === 'connection' && !hasEnded(key, now()));
  }
  return routes;
}

function mayRevoke({ apiKey }: Caller, connection: StoredApiKey): boolean {
  return apiKey.scope === 'read_write' || (apiKey.userId !== null && apiKey.userId === connection.userId);
}
