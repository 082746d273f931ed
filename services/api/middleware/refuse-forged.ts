import type { Context } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';

/**
 * A browser sends the cookie with calls of any page of this site. So a write has to prove that a page of the console made it: by the header,
 * which another host's page cannot set without a CORS permission, and by the browser's own word about the page's host.
 * @throws PublicError forged_request
 */
export function refuseForged(c: Context, { base }: PublicUrls): void {
  if (c.req.header('X-Loglane-Console') !== '1')
    throw new PublicError('forged_request', 'A call with a session needs the header X-Loglane-Console: 1.');
  if (!comesFromHere(c, base))
    throw new PublicError(
      'forged_request',
      `This call comes from a page of another host than ${new URL(base).origin}, the public address of this API (PUBLIC_API_URL).`,
    );
}

function comesFromHere(c: Context, base: string): boolean {
  // Browsers leave it out of plain HTTP to other hosts than localhost; a page cannot set it.
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('Origin');
  const host = c.req.header('Host');
  const { origin: publicOrigin, protocol } = new URL(base);
  if (origin === publicOrigin) return true;
  // Without TLS the API may have several addresses, and a browser names the one that it calls in both headers.
  return protocol === 'http:' && host !== undefined && origin === `http://${host}`;
}
