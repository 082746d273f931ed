import type { PublicUrls } from '../../../shared/service/public-urls.js';

/** Clients read these documents first: RFC 9728 about `/mcp`, RFC 8414 about this authorisation server. */

const scopes = ['read', 'read_write'] as const;
const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';
const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';

/** The only resource that tokens are for (RFC 8707). */
export function resourceOf({ base }: PublicUrls): string {
  return `${base}/mcp`;
}

/** For `WWW-Authenticate` of `/mcp`. */
export function protectedResourceUrl({ base }: PublicUrls): string {
  return `${base}${PROTECTED_RESOURCE}/mcp`;
}

/** Paths of the documents: below the base URL, and as the standards put them for a base with a path. */
export function metadataPaths({ base }: PublicUrls) {
  const path = new URL(base).pathname.replace(/\/$/, '');
  const once = (paths: readonly string[]) => [...new Set(paths)];
  return {
    protectedResource: once([
      PROTECTED_RESOURCE,
      `${PROTECTED_RESOURCE}/mcp`,
      `${PROTECTED_RESOURCE}${path}/mcp`,
    ]),
    authorizationServer: once([AUTHORIZATION_SERVER, `${AUTHORIZATION_SERVER}${path}`]),
  };
}

export function protectedResource(urls: PublicUrls) {
  return {
    resource: resourceOf(urls),
    authorization_servers: [urls.base],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Loglane',
  };
}

/** Without `client_id_metadata_document_supported`: clients that see it skip registration. */
export function authorizationServer({ base }: PublicUrls) {
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    revocation_endpoint: `${base}/oauth/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}
