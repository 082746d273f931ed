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
  /** Redirects that are followed; one more is an error. */
  readonly maxRedirects: number;
  /** false: a redirect is told as it is and leads nowhere, as that of a POST; default true. */
  readonly follow?: boolean;
  /** Told of each hop but the first, before it is asked. What it throws ends the fetch. */
  readonly onRedirect?: (url: URL) => void;
  /** For everything: all hops, and the body until its last byte was read. */
  readonly timeoutMs: number;
  /** Credentials among them go to the first origin alone. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sends it by POST. An answer that redirects is then told as it is and leads nowhere: what was meant for one receiver goes to no other. */
  readonly post?: { readonly body: Uint8Array; readonly contentType: string };
}

export interface Fetched {
  /** Of the answer; without a fragment. */
  readonly finalUrl: string;
  /** The hops before it, in order: the URL that was asked, and the status that it redirected with. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  /** Any status that does not redirect (of a POST, and where none is followed, any at all), errors of the server too. */
  readonly status: number;
  readonly headers: Headers;
  /** By name in lower case, the lines of a header apart, which `headers` joins; absent in stand-ins. */
  readonly headerLines?: ReadonlyMap<string, readonly string[]>;
  /** When the certificate that the last hop was answered under ends, milliseconds since the epoch; absent without TLS. */
  readonly certificateUntil?: number | undefined;
  /**
   * Inflated as Content-Encoding says. To be read once or discarded; whoever stops early closes the connection, and of a body that nobody reads it is closed when the time is up.
   * Throws FetchError as `Fetcher` does.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection instead of reading the body, of which nothing is looked at. */
  readonly discard: () => void;
}

/**
 * Fetches a URL of the public internet by GET, or posts to it. The one way of this program to what customers name.
 * @throws FetchError; what the signal was aborted with.
 */
export type Fetcher = (url: string, options: FetchOptions) => Promise<Fetched>;

export interface FetcherOptions {
  /** Names the service to the servers. */
  readonly userAgent: string;
  /** Default: DNS as the machine has it configured, without the names of its hosts file. */
  readonly resolver?: AddressResolver;
  /** Longest wait for a connection to one address, for the head of an answer, and between two pieces of a body. */
  readonly idleMs?: number;
  /** For tests alone. */
  readonly loopback?: LoopbackAllowance;
}

const DEFAULT_IDLE_MS = 10 * SECOND_MS;

/** Each hop of each fetch has a connection of its own: its address is checked every time. */
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

/** Of all fetches with these options. */
export function guardOf({
  idleMs = DEFAULT_IDLE_MS,
  resolver = new Resolver({ timeout: idleMs / 4, tries: 2 }),
  loopback,
}: FetcherOptions) {
  return { idleMs, connector: createGuardedConnector({ resolver, connectTimeoutMs: idleMs, loopback }) };
}

/** @param lineTo what the hop is asked over. */
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

/** Runs until `finish` is called, under one signal of the caller's and of the time that is left. */
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

/** Where the answer leads to; null where it leads nowhere. */
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
