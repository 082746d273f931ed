import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { type ApiKeyScope, apiKeyScopes } from '../../../shared/control/domain/model.js';
import { PublicError } from '../../../shared/errors.js';
import { onlySession } from '../console-session/session-routes.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import { bodyOf, parseBody } from '../operation/input.js';
import { sealCode } from './authorization-code.js';
import { readAuthorizationRequest, returnAddress } from './authorization-request.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthOptions } from './oauth-options.js';
import { optional } from './read-form.js';
import { destinationOf } from './redirect-uri.js';
import { openClient } from './registered-client.js';

/**
 * The calls of the console's screen `/connect`. The session's cookie is `SameSite=Strict`: no page of another site
 * can call these, and the address that a client opens has no session.
 */

const MAX_BODY_BYTES = 16 * 1_024;
const CODE_ID_BYTES = 12;

const answerOfPerson = z.strictObject({
  /** The query of the client's address, as it came. */
  request: z.string(),
  decision: z.enum(['allow', 'deny']),
  scope: z.enum(apiKeyScopes),
});

export function consentRoutes(options: OAuthOptions): Hono<ApiEnv> {
  const { services, now, randomBytes } = options;
  const { control, urls, seal } = services;
  const routes = new Hono<ApiEnv>();
  const signedIn = [onlySession, authenticate(services, now)] as const;

  routes.get('/oauth/consent', ...signedIn, async (c) => {
    const { client, request } = await readRequest(options, new URL(c.req.url).search);
    const { apiKey, organisation } = c.get('caller');
    const { wish, redirect } = request;
    const { email } = (apiKey.userId !== null && control.state().users.get(apiKey.userId)) || { email: null };
    return c.json({
      client_name: client.name,
      destination: destinationOf(redirect),
      organisation: organisation.name,
      user: email,
      scopes: wish instanceof OAuthError ? [] : grantable(wish.scopes, apiKey.scope),
      is_viewer: apiKey.scope === 'read',
      problem: wish instanceof OAuthError ? wish.message : null,
    });
  });

  routes.post('/oauth/consent', ...signedIn, bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const { request: query, decision, scope } = parseBody(answerOfPerson, await bodyOf(c));
    const { client, request } = await readRequest(options, query);
    const { apiKey } = c.get('caller');
    const { wish, redirect } = request;
    if (wish instanceof OAuthError) return answer(c, returnAddress(request, urls, { error: wish }));
    if (decision === 'deny') {
      const error = new OAuthError('access_denied', 'The person did not allow it.');
      return answer(c, returnAddress(request, urls, { error }));
    }
    if (!grantable(wish.scopes, apiKey.scope).includes(scope))
      throw new PublicError(
        'read_only_key',
        'scope: this session, or the request of the client, only reads.',
      );
    const codeId = randomBytes(CODE_ID_BYTES).toString('hex');
    const consent = { codeId, scope, sessionId: apiKey.id };
    const binding = { client, redirect, challenge: wish.challenge };
    return answer(c, returnAddress(request, urls, { code: await sealCode(seal, consent, binding, now()) }));
  });
  return routes;
}

/** Nobody can give away more than they have. */
function grantable(asked: readonly ApiKeyScope[], own: ApiKeyScope): ApiKeyScope[] {
  return asked.filter((scope) => scope === 'read' || own === 'read_write');
}

function answer(c: Context<ApiEnv>, redirectTo: string): Response {
  return c.json({ redirect_to: redirectTo });
}

/** @throws PublicError invalid_request, for the page. */
async function readRequest({ services }: OAuthOptions, query: string) {
  const parameters = new URLSearchParams(query);
  try {
    const client = await openClient(services.seal, optional(parameters, 'client_id'));
    return { client, request: readAuthorizationRequest(parameters, client, services.urls) };
  } catch (error) {
    if (error instanceof OAuthError)
      throw new PublicError('invalid_request', error.message, { cause: error });
    throw error;
  }
}
