/**
 * Why a fetch failed. `message` is fit for the customer whose website was fetched: it names their host and their server's
 * manners, and nothing of the network that the service runs in.
 */

const texts = {
  invalid_url: 'is no address that can be fetched: http or https, ports 80 and 443, and no user name in it',
  blocked_address: 'has no public address; only public addresses are fetched',
  dns: 'has no address in DNS, or DNS did not answer',
  refused: 'refused the connection',
  unreachable: 'could not be reached',
  tls: 'has no valid certificate for this name, or does not speak TLS',
  timeout: 'took too long',
  too_large: 'sent more than is taken',
  too_many_redirects: 'redirected too often',
  bad_encoding: 'sent a body that can not be decompressed',
  broken: 'broke the answer off, or sent none that is HTTP',
} as const;

export type FetchErrorCode = keyof typeof texts;

/** Codes of a fetch over https where nothing answers as a website: crawlers still find one that has http alone. */
export const httpsUnanswered: ReadonlySet<string> = new Set<FetchErrorCode>([
  'refused',
  'unreachable',
  'tls',
  'timeout',
  'broken',
]);

/** What is said of a host after its name; undefined of what is no code. */
export function textOfFetchError(code: string): string | undefined {
  return new Map<string, string>(Object.entries(texts)).get(code);
}

export class FetchError extends Error {
  readonly code: FetchErrorCode;

  /** @param host as in the URL of the hop that failed, or that URL where it has none. */
  constructor(code: FetchErrorCode, host: string, cause?: unknown) {
    super(`${host.slice(0, MAX_HOST)} ${texts[code]}.`, { cause });
    this.name = 'FetchError';
    this.code = code;
  }
}

/** Longest name that DNS knows. */
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

/** The codes of OpenSSL and of Node's TLS that are not in the table. */
const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH_)/;

/** What a socket, TLS or undici threw, as one of ours. */
export function toFetchError(error: unknown, host: string): FetchError {
  if (error instanceof FetchError) return error;
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT'))
    return new FetchError('bad_encoding', host, error);
  return new FetchError(codeOf.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'broken'), host, error);
}
