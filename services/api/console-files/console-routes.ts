import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../middleware/env.js';
import { sendBody } from '../reads/send-body.js';
import type { ConsoleFiles } from './read-console.js';

/** The console: its page at `/` and at the path of each screen, and its files. All of it is public; figures need a session. */

/** No exceptions: a text of a log that became markup could load and run nothing. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'public, no-cache';
const LONGEST_ACCEPT = 500;

export function consoleRoutes({ page, files }: ConsoleFiles): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  routes.get('/', (c) => sendPage(c, page));
  for (const { path, type, body } of files)
    routes.get(path, (c) => {
      setPolicies(c);
      const cacheControl = path.startsWith('/assets/') ? IMMUTABLE : REVALIDATED;
      return sendBody(c, body, { status: 200, revalidate: true, cacheControl, type });
    });
  return routes;
}

/**
 * The page for a browser that opens the address of a screen. Registered last.
 * @param taken paths of all routes: an address that begins as one of them is no screen.
 */
export function consoleScreens({ page }: ConsoleFiles, taken: readonly string[]): MiddlewareHandler<ApiEnv> {
  const takenNames = new Set(taken.map(firstName));
  return async (c, next) => {
    const accept = c.req.header('Accept')?.slice(0, LONGEST_ACCEPT) ?? '';
    if (takenNames.has(firstName(c.req.path)) || !accept.includes('text/html')) return next();
    return sendPage(c, page);
  };
}

function firstName(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

async function sendPage(c: Context<ApiEnv>, page: ConsoleFiles['page']): Promise<Response> {
  setPolicies(c);
  const type = 'text/html; charset=utf-8';
  const response = await sendBody(c, page, {
    status: 200,
    revalidate: true,
    cacheControl: REVALIDATED,
    type,
  });
  // The address of a screen is a 404 to programs.
  response.headers.append('Vary', 'Accept');
  return response;
}

function setPolicies(c: Context<ApiEnv>): void {
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  c.header('Referrer-Policy', 'no-referrer');
}
