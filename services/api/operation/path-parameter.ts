import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../shared/errors.js';
import { type Address, isOwnHost, readAddress } from '../../../shared/urls/path-of-address.js';

const ofPage = z
  .string({ error: ({ input }) => (input === undefined ? 'a path such as /products/blue-shirt' : undefined) })
  .min(1)
  .max(8_192);

const EXACT =
  'exact, case-sensitive, in any spelling of a URL (encoded once more for the query string): `/caf%c3%a9`, `/caf%C3%A9` and `/café` are the same.';

/** The parameter for one page; {@link pathOf} reads it. */
export const pathParameter = ofPage.openapi({
  description: `The path: ${EXACT} Query string, fragment and the origin of the website are dropped.`,
  example: '/products/blue-shirt',
});

/** The parameter for one page, or for a page with one query string; {@link urlOf} reads it. */
export const urlParameter = ofPage.openapi({
  description: `The path, with or without a query string: ${EXACT} With a query string, only requests with that query count; without one, requests with any query count. Fragment and the origin of the website are dropped.`,
  example: '/products/blue-shirt',
});

/** @throws PublicError invalid_request if the host belongs to another website. @param name of the parameter. */
export function refuseForeignHost(name: string, host: string | null, domain: string): void {
  if (host !== null && !isOwnHost(host, domain))
    throw new PublicError(
      'invalid_request',
      `${name}: expected a URL of ${domain}, got one of ${host.slice(0, 100)}`,
    );
}

/**
 * The path of a parameter in the spelling of the logs. The parameter is a path, or a URL with the website's origin.
 * @param name of the parameter.
 * @throws PublicError invalid_request if it belongs to another website, or is no path.
 */
export function pathOf(name: string, text: string, domain: string): string {
  return urlOf(name, text, domain).path;
}

/** The same with the query string, without `?`; '' for none. */
export function urlOf(name: string, text: string, domain: string): Pick<Address, 'path' | 'query'> {
  const { host, path, query } = readAddress(text);
  refuseForeignHost(name, host, domain);
  // `*` is the path of OPTIONS for the whole server.
  if (!path.startsWith('/') && path !== '*')
    throw new PublicError(
      'invalid_request',
      `${name}: expected a path that begins with a slash, got "${path.slice(0, 40)}"`,
    );
  return { path, query };
}
