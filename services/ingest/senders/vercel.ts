/**
 * Vercel checks a drain's address before it sends to it. The answer must have the header x-vercel-verify with a code
 * that Vercel's settings show. The user puts the code into the address, so that nothing must be stored:
 * `?verify=CODE`.
 */

const CODE = /^[A-Za-z0-9_-]{1,128}$/;

/** The header of every answer to such an address; none if the address has no code. */
export function vercelVerification(query: URLSearchParams): Record<string, string> {
  const code = query.get('verify');
  return code !== null && CODE.test(code) ? { 'x-vercel-verify': code } : {};
}
