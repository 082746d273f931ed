import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ApiEnv } from '../middleware/env.js';
import { readAuthorizationRequest } from './authorization-request.js';
import { consentRoutes } from './consent-routes.js';
import { limitAddresses } from './limit-addresses.js';
import { authorizationServer, metadataPaths, protectedResource } from './metadata.js';
import { answerOAuthErrors } from './oauth-error.js';
import type { OAuthOptions } from './oauth-options.js';
import { optional } from './read-form.js';
import { openClient } from './registered-client.js';
import { tokenRoutes } from './token-routes.js';

/** OAuth 2.1 for clients of `/mcp` (docs/mcp-sign-in.md). It needs the console: people sign in there and consent. */

const AUTHORIZATIONS_PER_MINUTE = 120;

export function oauthRoutes(options: OAuthOptions): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  const { protectedResource: ofResource, authorizationServer: ofServer } = metadataPaths(
    options.services.urls,
  );
  const forBrowsers = cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'OPTIONS'],
    allowHeaders: ['Content-Type', 'Authorization', 'MCP-Protocol-Version'],
    exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
    maxAge: 86_400,
  });
  for (const path of [...ofResource, ...ofServer, '/oauth/register', '/oauth/token', '/oauth/revoke'])
    routes.use(path, forBrowsers);
  serveDocument(routes, ofResource, protectedResource(options.services.urls));
  serveDocument(routes, ofServer, authorizationServer(options.services.urls));
  routes.route('/', authorizeRoute(options));
  routes.route('/', consentRoutes(options));
  routes.route('/', tokenRoutes(options));
  return routes;
}

function serveDocument(routes: Hono<ApiEnv>, paths: readonly string[], document: object): void {
  for (const path of paths)
    routes.get(path, (c) => {
      c.header('Cache-Control', 'public, max-age=300');
      return c.json(document);
    });
}

/**
 * A client opens this address in a browser. The person is never sent back from here, not even with an error: anyone can
 * register an address, and this host would forward to it (RFC 9700 §4.11).
 */
function authorizeRoute(options: OAuthOptions): Hono<ApiEnv> {
  const { services } = options;
  const routes = new Hono<ApiEnv>();
  routes.onError(answerOAuthErrors);
  routes.get('/oauth/authorize', limitAddresses(AUTHORIZATIONS_PER_MINUTE, options), async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const client = await openClient(services.seal, optional(searchParams, 'client_id'));
    readAuthorizationRequest(searchParams, client, services.urls);
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    // Relative, as in the pages: behind a proxy there may be a path before this one.
    return c.redirect(`../connect${search}`);
  });
  return routes;
}
