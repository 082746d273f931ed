import type { Context, MiddlewareHandler } from 'hono';
import { ACCESS_PREFIX } from '../../../shared/control/domain/client-tokens.js';
import { keyPrefixes } from '../../../shared/control/domain/keys.js';
import { PublicError } from '../../../shared/errors.js';
import { type Caller, isSession } from '../control/api-control.js';
import type { ApiControl } from '../control/control.js';
import type { ApiServices } from '../operation/operation.js';
import type { ApiEnv } from './env.js';
import { refuseForged } from './refuse-forged.js';
import { sessionCookie } from './session-cookie.js';

type Services = Pick<ApiServices, 'control' | 'keyUsed' | 'sessionUsed' | 'urls'>;

/** The API key of `Authorization: Bearer …` (spec §5), or the console session of the cookie where there is no such header; sets `caller`. */
export function authenticate(services: Services, now: () => number): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    // Every answer is only for the holder of one key or session.
    c.header('Cache-Control', 'no-store');
    const { key, caller } = noting(c, () => callerOf(c, services, now()));
    services.keyUsed(caller.apiKey.id, now());
    if (isSession(caller)) {
      services.sessionUsed?.(caller.apiKey, now());
      if (!isSafe(c.req.method)) refuseForged(c, services.urls);
    }
    c.set('caller', caller);
    c.set('clearKey', key);
    await next();
  };
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD';

/** @throws PublicError missing_key, invalid_key */
function callerOf(c: Context<ApiEnv>, { control, sessionUsed }: CallerServices, at: number) {
  const header = c.req.header('Authorization');
  const cookie = sessionUsed === null ? null : sessionCookie(c);
  if (header === undefined && cookie !== null) return { key: cookie, caller: sessionOf(cookie, control, at) };
  const key = bearerToken(header);
  if (key.startsWith(keyPrefixes.ingest)) {
    throw new PublicError(
      'invalid_key',
      `Ingest keys cannot call this API; use an API key, which starts with ${keyPrefixes.api}.`,
    );
  }
  if (key.startsWith(ACCESS_PREFIX)) return { key, caller: connectionOf(c, key, control, at) };
  const caller = key.startsWith(keyPrefixes.api) ? control.authenticate(key, at) : null;
  // Unknown, revoked and expired keys get the same answer, which must not confirm that a key once existed.
  if (caller === null) throw new PublicError('invalid_key', 'Invalid API key.');
  return { key, caller };
}

/** @throws PublicError invalid_key */
function sessionOf(cookie: string, control: ApiControl, at: number): Caller {
  const caller = control.authenticateSession(cookie, at);
  if (caller === null)
    throw new PublicError('invalid_key', 'The session has ended; sign in again with a new link.');
  return caller;
}

/** A person allowed the client to use `/mcp`, not this API (RFC 8707). @throws PublicError invalid_key */
function connectionOf(c: Context<ApiEnv>, token: string, control: ApiControl, at: number): Caller {
  if (c.env?.throughMcp !== true)
    throw new PublicError(
      'invalid_key',
      'Access tokens of connected clients work at /mcp only; use an API key.',
    );
  const caller = control.authenticateConnection(token, at);
  if (caller === null) throw new PublicError('invalid_key', 'The access token has expired or was revoked.');
  return caller;
}

type CallerServices = Pick<ApiServices, 'control' | 'sessionUsed'>;

/** The caller of a public answer; null if the key is unknown or missing, or the control state is not loaded yet. */
export function knownCaller(c: Context<ApiEnv>, services: CallerServices, at: number): Caller | null {
  try {
    return callerOf(c, services, at).caller;
  } catch (error) {
    if (error instanceof PublicError) return null;
    throw error;
  }
}

function noting<T>(c: Context<ApiEnv>, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof PublicError) c.set('refusal', error.code);
    throw error;
  }
}

function bearerToken(header: string | undefined): string {
  if (header === undefined) {
    throw new PublicError('missing_key', 'Missing API key; send the header Authorization: Bearer <API_KEY>.');
  }
  const token = /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new PublicError('missing_key', 'Authorization: expected "Bearer <API_KEY>".');
  }
  return token;
}
