import { OAuthError } from './oauth-error.js';

/** Parameters of OAuth, from an address or a form. */

/** Characters of one parameter: a client's id is the longest. */
const LONGEST_PARAMETER = 4_000;

/** @throws OAuthError invalid_request if it is there twice (RFC 6749 §3.1) or too long. */
export function optional(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new OAuthError('invalid_request', `${name}: expected once.`);
  const [value = ''] = values;
  if (value.length > LONGEST_PARAMETER)
    throw new OAuthError('invalid_request', `${name}: expected at most ${LONGEST_PARAMETER} characters.`);
  // An empty parameter counts as omitted.
  return value === '' ? null : value;
}

/** @throws OAuthError invalid_request */
export function required(parameters: URLSearchParams, name: string): string {
  const value = optional(parameters, name);
  if (value === null) throw new OAuthError('invalid_request', `${name}: expected, but it is missing.`);
  return value;
}

/** @throws OAuthError invalid_target for any other resource than ours (RFC 8707). */
export function checkResource(parameters: URLSearchParams, resource: string): void {
  for (const asked of parameters.getAll('resource'))
    if (asked !== resource)
      throw new OAuthError('invalid_target', `resource: tokens are only for ${resource}.`);
}
