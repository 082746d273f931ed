/** Selects paths that a configuration can answer with 410. Others could match another page than the requested one, or break the configuration. */

/** CDN rules support no longer paths. */
const MAX_PATH = 1_000;

/** Common targets of programs: their absence is no dead page. */
const LOOKED_FOR = new Set(['/', '/robots.txt', '/favicon.ico', '/sitemap.xml', '/ads.txt', '/index.html']);
const LOOKED_FOR_PREFIX = '/.well-known/';

/** Path characters (RFC 3986 `pchar`), plain or percent-encoded. */
const AS_SENT = /^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const PCHAR = /[A-Za-z0-9._~!$&'()*+,;=:@/-]/;

/** Servers remove these before they compare paths, and the result is another page. */
const REWRITTEN = /\/\/|\/\.{1,2}(?:\/|$)/;

/**
 * The paths that can be listed, each once, in their order. Web servers and some CDNs decode a path before they compare it. So a path
 * with unnecessary encoding (`/a%2Fb`) is left out: an application may answer it with 404 but serve the decoded path. Otherwise any
 * client could make that page gone with a request.
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
 * The path as decoding servers compare it; null if it is not UTF-8, contains a control character, or has unnecessary encoding.
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
