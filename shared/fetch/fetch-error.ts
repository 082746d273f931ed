/**
 * Reason of a failed fetch. `message` may be shown to the customer whose website was fetched. It names the host and its
 * server's behaviour, and nothing about the network of the service.
 */

const texts = {
  invalid_url: 'is not a URL that can be fetched: http or https, port 80 or 443, without a user name',
  blocked_address: 'has no public address; only public addresses are fetched',
  dns: 'has no address in DNS, or DNS did not answer',
  refused: 'refused the connection',
  unreachable: 'could not be reached',
  tls: 'has no valid certificate for this name, or does not speak TLS',
  timeout: 'took too long',
  too_large: 'sent more than the limit',
  too_many_redirects: 'redirected too often',
  bad_encoding: 'sent a body that cannot be decompressed',
  broken: 'broke off its response, or sent none that is HTTP',
} as const;

export type FetchErrorCode = keyof typeof texts;

/**
 * Error codes of an https fetch that nothing answered as a website. Crawlers still find a website that serves only
 * http.
 */
export const httpsUnanswered: ReadonlySet<string> = new Set<FetchErrorCode>([
  'refused',
  'unreachable',
  'tls',
  'timeout',
  'broken',
]);

/** Predicate that follows a host's name in a message; undefined for unknown codes. */
export function textOfFetchError(code: string): string | undefined {
  return new Map<string, string>(Object.entries(texts)).get(code);
}

export class FetchError extends Error {
  readonly code: FetchErrorCode;

  /** @param host of the hop that failed, or the URL if it has no host. */
  constructor(code: FetchErrorCode, host: string, cause?: unknown) {
    super(`${host.slice(0, MAX_HOST)} ${texts[code]}.`, { cause });
    this.name = 'FetchError';
    this.code = code;
  }
}

/** Longest name in DNS. */
const MAX_HOST = 253;

const codeOf: ReadonlyMap<string, FetchErrorCode> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['HOSTNAME_MISMATCH', 'tls'],
]);

/** Codes of OpenSSL and Node's TLS that are not in the table. */
const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH_)/;

/** Converts an error of a socket, TLS or undici. */
export function toFetchError(error: unknown, host: string): FetchError {
  if (error instanceof FetchError) return error;
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT'))
    return new FetchError('bad_encoding', host, error);
  return new FetchError(codeOf.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'broken'), host, error);
}
