import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Exchange } from '../../../shared/control/aggregates/client-connection.js';
import { ACCESS_TOKEN_MS, findByRefreshToken } from '../../../shared/control/domain/client-tokens.js';
import type { ApiKeyScope } from '../../../shared/control/domain/model.js';
import { SECOND_MS } from '../../../shared/durations.js';
import { PublicError } from '../../../shared/errors.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { ApiEnv } from '../middleware/env.js';
import { bodyOf } from '../operation/input.js';
import { openCode } from './authorization-code.js';
import { limitAddresses } from './limit-addresses.js';
import { resourceOf } from './metadata.js';
import { answerOAuthErrors, OAuthError } from './oauth-error.js';
import type { OAuthOptions } from './oauth-options.js';
import { checkResource, optional, required } from './read-form.js';
import { openClient, type RegisteredClient, readRegistration, sealClient } from './registered-client.js';

/** Calls of clients: registration (RFC 7591), tokens (OAuth 2.1 §3.2), revocation (RFC 7009). */

const MAX_BODY_BYTES = 16 * 1_024;
const REGISTRATIONS_PER_MINUTE = 60;
const FAILURES_PER_MINUTE = 300;

export function tokenRoutes(options: OAuthOptions): Hono<ApiEnv> {
  const { services, now } = options;
  const { control, seal } = services;
  const routes = new Hono<ApiEnv>();
  routes.onError(answerOAuthErrors);
  const sized = bodyLimit({ maxSize: MAX_BODY_BYTES });
  const limitTokens = limitAddresses(FAILURES_PER_MINUTE, options, 'failures');

  routes.post('/oauth/register', limitAddresses(REGISTRATIONS_PER_MINUTE, options), sized, async (c) => {
    const client = readRegistration(await bodyOf(c));
    c.header('Cache-Control', 'no-store');
    const answer = {
      client_id: await sealClient(seal, client),
      client_id_issued_at: Math.floor(now() / SECOND_MS),
      client_name: client.name,
      redirect_uris: client.redirects,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return c.json(answer, 201);
  });

  routes.post('/oauth/token', limitTokens, sized, async (c) => {
    const form = await formOf(c.req.raw);
    const client = await openClient(seal, optional(form, 'client_id'));
    checkResource(form, resourceOf(services.urls));
    const exchange = await ended(exchangeOf(options, form, client));
    if (exchange.reused) {
      const text = 'connection revoked: a code or token was used twice';
      warnLimited(options.logger, { client: client.name, request_id: c.get('requestId') }, text, now);
      throw new OAuthError('invalid_grant', 'The code or token was used twice, so the connection has ended.');
    }
    c.header('Cache-Control', 'no-store');
    return c.json({
      access_token: exchange.accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_MS / SECOND_MS,
      refresh_token: exchange.refreshToken,
      scope: scopeText(exchange.connection.scope),
    });
  });

  routes.post('/oauth/revoke', limitTokens, sized, async (c) => {
    const form = await formOf(c.req.raw);
    const client = await openClient(seal, optional(form, 'client_id'));
    const token = required(form, 'token');
    await control.executeAsSystem({ type: 'revokeToken', token, clientDigest: client.digest });
    c.header('Cache-Control', 'no-store');
    return c.body(null, 200);
  });
  return routes;
}

async function exchangeOf(
  { services, now }: OAuthOptions,
  form: URLSearchParams,
  client: RegisteredClient,
): Promise<Exchange> {
  const { control, seal } = services;
  const grant = required(form, 'grant_type');
  if (grant === 'refresh_token') {
    const refreshToken = required(form, 'refresh_token');
    const connection = findByRefreshToken(control.state(), refreshToken);
    if (connection?.scope === 'read' && optional(form, 'scope')?.split(' ').includes('read_write'))
      throw new OAuthError('invalid_scope', 'scope: the person allowed reading only.');
    return control.executeAsSystem({ type: 'refreshConnection', refreshToken, clientDigest: client.digest });
  }
  if (grant !== 'authorization_code')
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type: expected authorization_code or refresh_token.',
    );
  const binding = {
    client,
    redirect: required(form, 'redirect_uri'),
    verifier: required(form, 'code_verifier'),
  };
  const consent = await openCode(seal, required(form, 'code'), binding, now());
  if (consent === null)
    throw new OAuthError(
      'invalid_grant',
      'code: unknown, expired, or made for another client, address or verifier.',
    );
  const { name, digest: clientDigest } = client;
  return control.executeAsSystem({ type: 'redeemCode', ...consent, clientDigest, name });
}

/** @throws OAuthError invalid_grant for a code or token that no longer counts. */
async function ended<T>(exchange: Promise<T>): Promise<T> {
  try {
    return await exchange;
  } catch (error) {
    if (error instanceof PublicError && error.fields.code === 'grant_ended')
      throw new OAuthError('invalid_grant', error.message, { cause: error });
    throw error;
  }
}

/** @throws OAuthError invalid_request if it is no form. */
async function formOf(request: Request): Promise<URLSearchParams> {
  const [type = ''] = (request.headers.get('Content-Type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'Content-Type: expected application/x-www-form-urlencoded.');
  return new URLSearchParams(await request.text());
}

/** Writing includes reading, and clients compare names. */
function scopeText(scope: ApiKeyScope): string {
  return scope === 'read_write' ? 'read read_write' : 'read';
}
