import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../shared/errors.js';
import { type Address, isOwnHost, readAddress } from '../../../shared/urls/path-of-address.js';

const ofPage = z
  .string({ error: ({ input }) => (input === undefined ? 'a path such as /products/blue-shirt' : undefined) })
  .min(1)
  .max(8_192);

const EXACT =
  'exact, case counts, in any spelling of a URL (encoded once more for the query string): `/caf%c3%a9`, `/caf%C3%A9` and `/café` are one.';

/** The parameter for one page; {@link pathOf} reads it. */
export const pathParameter = ofPage.openapi({
  description: `The path: ${EXACT} A query string and a fragment are dropped, as is the address of the website before the path.`,
  example: '/products/blue-shirt',
});

/** The parameter for one page, or for a page with one query string; {@link urlOf} reads it. */
export const urlParameter = ofPage.openapi({
  description: `The path, with or without a query string: ${EXACT} With a query string only requests with that query count, without one those with any. A fragment is dropped, as is the address of the website before the path.`,
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
  return urlOf(name, text, domain).path;
}

/** The same with the query string, without `?`; '' for none. */
export function urlOf(name: string, text: string, domain: string): Pick<Address, 'path' | 'query'> {
  const { host, path, query } = readAddress(text);
  refuseForeignHost(name, host, domain);
  // OPTIONS of the whole server.
  if (!path.startsWith('/') && path !== '*')
    throw new PublicError(
      'invalid_request',
      `${name}: expected a path that begins with a slash, got "${path.slice(0, 40)}"`,
    );
  return { path, query };
}
