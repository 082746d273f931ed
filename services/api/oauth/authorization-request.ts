import type { ApiKeyScope } from '../../../shared/control/domain/model.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { resourceOf } from './metadata.js';
import { OAuthError } from './oauth-error.js';
import { checkResource, optional, required } from './read-form.js';
import { allowsRedirect } from './redirect-uri.js';
import type { RegisteredClient } from './registered-client.js';

/** The request of a client for a person's consent (OAuth 2.1 §4.1.1), from its address. */
export interface AuthorizationRequest {
  readonly redirect: string;
  /** Goes back unchanged. */
  readonly state: string | null;
  readonly wish: Wish | OAuthError;
}

/** A request that a person can allow. */
export interface Wish {
  /** SHA-256 of the client's secret for this one request, in base64url (RFC 7636). */
  readonly challenge: string;
  readonly scopes: readonly ApiKeyScope[];
}

const LONGEST_STATE = 2_000;
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Errors of a known redirect address are part of the result: the person decides whether to go back with them.
 * @throws OAuthError where nobody may be sent back.
 */
export function readAuthorizationRequest(
  parameters: URLSearchParams,
  client: RegisteredClient,
  urls: PublicUrls,
): AuthorizationRequest {
  const redirect = required(parameters, 'redirect_uri');
  if (!allowsRedirect(client.redirects, redirect))
    throw new OAuthError('invalid_request', 'redirect_uri: the client did not register this address.');
  const state = parameters.get('state');
  if (state !== null && state.length > LONGEST_STATE)
    throw new OAuthError('invalid_request', `state: expected at most ${LONGEST_STATE} characters.`);
  return { redirect, state, wish: wishOrError(parameters, urls) };
}

function wishOrError(parameters: URLSearchParams, urls: PublicUrls): Wish | OAuthError {
  try {
    return readWish(parameters, urls);
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

function readWish(parameters: URLSearchParams, urls: PublicUrls): Wish {
  optional(parameters, 'state');
  if (required(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type: expected code.');
  if (optional(parameters, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method: expected S256.');
  const challenge = required(parameters, 'code_challenge');
  if (!CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge: expected 43 characters of base64url.');
  checkResource(parameters, resourceOf(urls));
  return { challenge, scopes: scopesOf(optional(parameters, 'scope')) };
}

/** Names that are none of ours are ignored: clients ask for `offline_access` everywhere. */
function scopesOf(scope: string | null): ApiKeyScope[] {
  const asked = scope?.split(' ') ?? ['read', 'read_write'];
  if (asked.includes('read_write')) return ['read', 'read_write'];
  if (asked.includes('read')) return ['read'];
  throw new OAuthError('invalid_scope', 'scope: expected read or read_write.');
}

/** The address that a person is sent back to, which names this server (RFC 9207). */
export function returnAddress(
  { redirect, state }: Pick<AuthorizationRequest, 'redirect' | 'state'>,
  { base }: PublicUrls,
  result: { readonly code: string } | { readonly error: OAuthError },
): string {
  const query = new URLSearchParams(
    'code' in result
      ? { code: result.code }
      : { error: result.error.code, error_description: result.error.message },
  );
  if (state !== null) query.set('state', state);
  query.set('iss', base);
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query}`;
}
