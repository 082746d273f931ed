/**
 * Vercel tries a drain's address before it sends to it: the answer must have the header x-vercel-verify with a code that its
 * settings show. The user puts the code into the address, so that nothing has to be kept: `?verify=CODE`.
 */

const CODE = /^[A-Za-z0-9_-]{1,128}$/;

/** The header of every answer to such an address; none where the address has no code. */
export function vercelVerification(query: URLSearchParams): Record<string, string> {
  const code = query.get('verify');
  return code !== null && CODE.test(code) ? { 'x-vercel-verify': code } : {};
}
