import type { Context, MiddlewareHandler } from 'hono';
import { keyPrefixes } from '../../../shared/control/domain/keys.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller } from '../control/api-control.js';
import type { ApiControl } from '../control/control.js';
import type { ApiServices } from '../operation/operation.js';
import type { ApiEnv } from './env.js';

/** The API key of `Authorization: Bearer …` (spec §5); sets `caller`. */
export function authenticate(
  { control, keyUsed }: Pick<ApiServices, 'control' | 'keyUsed'>,
  now: () => number,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    // Whatever is answered is meant for the holder of one key.
    c.header('Cache-Control', 'no-store');
    const { key, caller } = noting(c, () => callerOf(c, control, now()));
    keyUsed(caller.apiKey.id, now());
    c.set('caller', caller);
    c.set('clearKey', key);
    await next();
  };
}

/** @throws PublicError missing_key, invalid_key */
function callerOf(c: Context<ApiEnv>, control: Pick<ApiControl, 'authenticate'>, at: number) {
  const key = bearerToken(c.req.header('Authorization'));
  if (key.startsWith(keyPrefixes.ingest)) {
    throw new PublicError(
      'invalid_key',
      `Ingest keys cannot call this API; use an API key, which starts with ${keyPrefixes.api}.`,
    );
  }
  const caller = key.startsWith(keyPrefixes.api) ? control.authenticate(key, at) : null;
  // Unknown, revoked and expired keys are told apart nowhere: the answer must not confirm that a key once existed.
  if (caller === null) throw new PublicError('invalid_key', 'Invalid API key.');
  return { key, caller };
}

/** Who calls, for an answer that anybody may have; null: nobody that is known, or nobody can be known yet. */
export function knownCaller(
  c: Context<ApiEnv>,
  control: Pick<ApiControl, 'authenticate'>,
  at: number,
): Caller | null {
  try {
    return callerOf(c, control, at).caller;
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
