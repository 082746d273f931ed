import { Resolver } from 'node:dns/promises';
import { type buildConnector, Client } from 'undici';
import { SECOND_MS } from '../durations.js';
import { isUrl } from '../urls/is-url.js';
import { type Answer, askOnce, type Line } from './ask-once.js';
import { certificateEnd } from './certificate-end.js';
import { FetchError, toFetchError } from './fetch-error.js';
import { isFetchable } from './fetchable-url.js';
import { type AddressResolver, createGuardedConnector, type LoopbackAllowance } from './guarded-connector.js';
import { type BodyLimits, readBody, SUPPORTED_ENCODINGS } from './read-body.js';

export interface FetchOptions extends BodyLimits {
  /** Most redirects that are followed; one more is an error. */
  readonly maxRedirects: number;
  /** false: a redirect is returned as the response, as for a POST. Default: true. */
  readonly follow?: boolean;
  /** Called with each hop except the first, before its request. An error that it throws ends the fetch. */
  readonly onRedirect?: (url: URL) => void;
  /** Total timeout: all hops, and the body up to its last byte. */
  readonly timeoutMs: number;
  /** Credentials among them are sent only to the first origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sends it by POST. Redirects are then returned as the response, so that the body reaches no other receiver. */
  readonly post?: { readonly body: Uint8Array; readonly contentType: string };
}

export interface Fetched {
  /** URL of the final response, without a fragment. */
  readonly finalUrl: string;
  /** The hops before it, in order: the requested URL and its redirect status. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  /** Any status except redirects, including server errors. If redirects are not followed, any status at all. */
  readonly status: number;
  readonly headers: Headers;
  /** Separate lines of each header, which `headers` joins. Names are in lower case. Absent in test doubles. */
  readonly headerLines?: ReadonlyMap<string, readonly string[]>;
  /** End of the validity of the last hop's certificate, milliseconds since the epoch; absent without TLS. */
  readonly certificateUntil?: number | undefined;
  /**
   * Decompressed according to Content-Encoding. Read it once or discard it. A reader that stops early closes the
   * connection; the connection of an unread body is closed at the timeout. Throws FetchError as `Fetcher` does.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  readonly discard: () => void;
}

/**
 * Fetches a URL of the public internet by GET or POST. The only way this program reaches URLs that customers name.
 * @throws FetchError; the abort reason of the signal.
 */
export type Fetcher = (url: string, options: FetchOptions) => Promise<Fetched>;

export interface FetcherOptions {
  /** User agent that identifies the service. */
  readonly userAgent: string;
  /** Default: the machine's DNS configuration, without the hosts file. */
  readonly resolver?: AddressResolver;
  /** Longest wait for a connection to one address, for response headers, and between two pieces of a body. */
  readonly idleMs?: number;
  /** For tests only. */
  readonly loopback?: LoopbackAllowance;
}

const DEFAULT_IDLE_MS = 10 * SECOND_MS;

/** Each hop of each fetch has its own connection, so that its address is always checked. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const { idleMs, connector } = guardOf(options);
  return fetcherOver(options, ({ origin }) => {
    let certificateUntil: number | undefined;
    const connect: buildConnector.connector = (target, callback) =>
      connector(target, (...result) => {
        const [, socket] = result;
        if (socket !== null) certificateUntil = certificateEnd(socket);
        callback(...result);
      });
    const client = new Client(origin, { connect, headersTimeout: idleMs, bodyTimeout: idleMs });
    const end = () => {
      client.destroy().catch(() => {});
    };
    return { dispatcher: client, abort: end, release: end, certificateUntil: () => certificateUntil };
  });
}

/** Guard shared by all fetches with these options. */
export function guardOf({
  idleMs = DEFAULT_IDLE_MS,
  resolver = new Resolver({ timeout: idleMs / 4, tries: 2 }),
  loopback,
}: FetcherOptions) {
  return { idleMs, connector: createGuardedConnector({ resolver, connectTimeoutMs: idleMs, loopback }) };
}

/** @param lineTo returns the connection for a hop. */
export function fetcherOver({ userAgent, loopback }: FetcherOptions, lineTo: (hop: URL) => Line): Fetcher {
  return (url, options) =>
    underDeadline(options, async (signal, finish) => {
      const redirects: { url: string; status: number }[] = [];
      const isFollowing = options.post === undefined && options.follow !== false;
      let hop = checkUrl(url, loopback);
      const first = hop.origin;
      while (true) {
        const headers = headersFor(hop.origin === first, options, userAgent);
        const answer = await askOnce(hop, headers, { line: lineTo(hop), signal, body: options.post?.body });
        const next = isFollowing ? redirectTarget(answer, hop) : null;
        if (next === null) return toFetched({ url: hop, redirects, answer, options, signal, finish });
        answer.close();
        redirects.push({ url: hop.href, status: answer.status });
        if (redirects.length > options.maxRedirects) throw new FetchError('too_many_redirects', hop.hostname);
        hop = checkUrl(next, loopback);
        options.onRedirect?.(hop);
      }
    });
}

/** Runs until `finish` is called. The signal fires on the caller's abort or at the timeout. */
async function underDeadline<T>(
  { timeoutMs, signal: callers }: FetchOptions,
  run: (signal: AbortSignal, finish: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onAbort = () => controller.abort(callers?.reason);
  const timer = setTimeout(() => controller.abort(new FetchError('timeout', 'The website')), timeoutMs);
  const finish = () => {
    clearTimeout(timer);
    callers?.removeEventListener('abort', onAbort);
  };
  if (callers?.aborted) onAbort();
  else callers?.addEventListener('abort', onAbort, { once: true });
  try {
    return await run(controller.signal, finish);
  } catch (error) {
    finish();
    throw controller.signal.aborted ? controller.signal.reason : error;
  }
}

/** @throws FetchError `invalid_url` for another scheme, another port, or credentials. */
function checkUrl(text: string, loopback: LoopbackAllowance | undefined): URL {
  const url = isUrl(text) ? new URL(text) : null;
  if (url === null) throw new FetchError('invalid_url', 'The URL');
  if (!isFetchable(url, loopback?.ports)) throw new FetchError('invalid_url', url.hostname || 'The URL');
  url.hash = '';
  return url;
}

const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);

function headersFor(
  isFirstOrigin: boolean,
  { headers = {}, post }: FetchOptions,
  userAgent: string,
): Record<string, string> {
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => isFirstOrigin || !CREDENTIALS.has(name));
  return {
    accept: '*/*',
    ...Object.fromEntries(own),
    ...(post === undefined ? {} : { 'content-type': post.contentType }),
    'user-agent': userAgent,
    'accept-encoding': SUPPORTED_ENCODINGS,
  };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Redirect target; null if the response does not redirect. */
function redirectTarget({ status, headers }: Answer, from: URL): string | null {
  const location = headers.get('location');
  if (!REDIRECTS.has(status) || location === null) return null;
  if (!isUrl(location, from)) throw new FetchError('invalid_url', from.hostname);
  return new URL(location, from).href;
}

function toFetched({
  url,
  redirects,
  answer,
  options,
  signal,
  finish,
}: {
  url: URL;
  redirects: Fetched['redirects'];
  answer: Answer;
  options: FetchOptions;
  signal: AbortSignal;
  finish: () => void;
}): Fetched {
  function discard(): void {
    finish();
    answer.close();
  }
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* readBody(answer.body, answer.headers.get('content-encoding'), options, url.hostname);
    } catch (error) {
      throw signal.aborted ? signal.reason : toFetchError(error, url.hostname);
    } finally {
      discard();
    }
  }
  const { status, headers, headerLines, certificateUntil } = answer;
  return {
    ...{ finalUrl: url.href, redirects, status, headers, headerLines, certificateUntil },
    ...{ body: body(), discard },
  };
}
