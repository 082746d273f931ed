import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../shared/errors.js';
import { isOwnHost, readAddress } from '../../../shared/websites/path-of-address.js';

/** Of one page, to be read with {@link pathOf}. */
export const pathParameter = z
  .string({ error: ({ input }) => (input === undefined ? 'a path such as /products/blue-shirt' : undefined) })
  .min(1)
  .max(8_192)
  .openapi({
    description:
      'The path: exact, case counts, in any spelling of a URL (encoded once more for the query string): `/caf%c3%a9`, `/caf%C3%A9` and `/café` are one. A query string and a fragment are dropped, as is the address of the website before the path.',
    example: '/products/blue-shirt',
  });

/** @throws PublicError invalid_request where a host is another website's. @param name of the parameter. */
export function refuseForeignHost(name: string, host: string | null, domain: string): void {
  if (host !== null && !isOwnHost(host, domain))
    throw new PublicError(
      'invalid_request',
      `${name}: expected a URL of ${domain}, got one of ${host.slice(0, 100)}`,
    );
}

/**
 * The path that a parameter names, as logs have it: by itself, or with the website's address before it.
 * @param name of the parameter.
 * @throws PublicError invalid_request where it is of another website, or no path.
 */
export function pathOf(name: string, text: string, domain: string): string {
  const { host, path } = readAddress(text);
  refuseForeignHost(name, host, domain);
  // OPTIONS of the whole server.
  if (!path.startsWith('/') && path !== '*')
    throw new PublicError(
      'invalid_request',
      `${name}: expected a path that begins with a slash, got "${path.slice(0, 40)}"`,
    );
  return path;
}
