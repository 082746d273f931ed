/** Which paths a configuration may call gone. What is left out could meet another page than the one that was asked for, or break something. */

/** Longer ones no rule of a CDN holds. */
const MAX_PATH = 1_000;

/** What programs look for everywhere: its absence is no dead page. */
const LOOKED_FOR = new Set(['/', '/robots.txt', '/favicon.ico', '/sitemap.xml', '/ads.txt', '/index.html']);
const LOOKED_FOR_PREFIX = '/.well-known/';

/** Characters that a path has as they are (RFC 3986 `pchar`), or percent-encoded ones. */
const AS_SENT = /^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const PCHAR = /[A-Za-z0-9._~!$&'()*+,;=:@/-]/;

/** Servers take them away before they compare, and what is left is another page. */
const REWRITTEN = /\/\/|\/\.{1,2}(?:\/|$)/;

/**
 * The paths of these that can be listed, each once, in their order. Web servers and some CDNs decode a path before they compare. So one
 * that is encoded where it need not be (`/a%2Fb`) is left out: an application may answer it 404 and serve the page of the decoded
 * path, which anybody could have called gone by asking for it.
 * @param paths as they are stored, percent-encoded.
 */
export function goablePaths(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter(
    (path) =>
      path.length <= MAX_PATH &&
      AS_SENT.test(path) &&
      !REWRITTEN.test(path) &&
      !LOOKED_FOR.has(path) &&
      !path.startsWith(LOOKED_FOR_PREFIX) &&
      decodePath(path) !== null,
  );
}

/**
 * As servers that decode before they compare see it; null where it is no UTF-8, holds a control character, or is encoded where it need
 * not be.
 */
export function decodePath(path: string): string | null {
  for (const [octet] of path.matchAll(/%[0-9A-Fa-f]{2}/g))
    if (PCHAR.test(String.fromCharCode(Number.parseInt(octet.slice(1), 16)))) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  for (const character of decoded) if (isControl(character.codePointAt(0)!)) return null;
  return decoded;
}

const isControl = (code: number) =>
  code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;
