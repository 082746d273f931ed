import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { isDemo } from '../../../shared/control/domain/demo-organisation.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller } from '../control/api-control.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import { refuseForged } from '../middleware/refuse-forged.js';
import { deleteSessionCookie, sessionCookie, setSessionCookie } from '../middleware/session-cookie.js';
import { bodyOf, parseBody } from '../operation/input.js';
import type { ApiServices } from '../operation/operation.js';

/** Signing in to the console and out of it. Not part of the public API: programs have keys. */

/** A token has 50 characters. */
const MAX_BODY_BYTES = 1_024;
const signInBody = z.strictObject({ token: z.string() });

export function sessionRoutes(services: ApiServices, now: () => number): Hono<ApiEnv> {
  const { control, urls } = services;
  const routes = new Hono<ApiEnv>();
  routes.use('/console/*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await next();
  });

  routes.post('/console/sign-in', bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    refuseForged(c, urls);
    const { token } = parseBody(signInBody, await bodyOf(c));
    const { clearText } = await control.executeAsSystem({ type: 'signIn', token });
    const caller = control.authenticateSession(clearText, now());
    // Revoked or erased in the meantime.
    if (caller === null) throw new PublicError('invalid_key', 'The session has ended already.');
    c.set('caller', caller);
    setSessionCookie(c, urls, clearText);
    return answerSession(c, services, caller);
  });

  routes.post('/console/sign-out', onlySession, authenticate(services, now), async (c) => {
    await control.executeAsSystem({ type: 'revokeApiKey', apiKeyId: c.get('caller').apiKey.id });
    deleteSessionCookie(c, urls);
    return c.json({ signed_out: true });
  });

  routes.get('/console/session', onlySession, authenticate(services, now), async (c) =>
    answerSession(c, services, c.get('caller')),
  );
  return routes;
}

/** An API key is no session: it is revoked by its owner, and has no user that looks at a page. */
export async function onlySession(c: Context<ApiEnv>, next: () => Promise<void>): Promise<void> {
  if (c.req.header('Authorization') !== undefined || sessionCookie(c) === null)
    throw new PublicError('missing_key', 'Not signed in to the console.');
  await next();
}

/** The signed-in person and organisation, for the page. */
function answerSession(
  c: Context<ApiEnv>,
  { control, urls }: ApiServices,
  { apiKey, organisation }: Caller,
): Response {
  const state = control.state();
  return c.json({
    user: apiKey.userId === null ? null : (state.users.get(apiKey.userId)?.email ?? null),
    role: apiKey.scope === 'read_write' ? 'owner' : 'viewer',
    expires_at: apiKey.expiresAt,
    organisation: { id: organisation.id, name: organisation.name },
    ingest_url: urls.ingest,
    demo: isDemo(state, organisation),
  });
}
