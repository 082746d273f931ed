import { SECOND_MS } from '../../../../shared/durations.js';
import { FetchError } from '../../../../shared/fetch/fetch-error.js';
import type { Fetched, Fetcher } from '../../../../shared/fetch/fetcher.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../shared/urls/normal-spelling.js';
import { decodeHtml } from '../../html/decode-html.js';

/** A page's response, with its HTML if that was read. */
export interface PageAnswer {
  /** 0: no response. */
  readonly status: number;
  /** A code of FetchError; empty: none. With a status, the error is about the body. */
  readonly error: string;
  readonly headers: Headers;
  /** The X-Robots-Tag headers, one per line. */
  readonly xRobotsTag: string;
  /** Milliseconds until the response's headers. */
  readonly ms: number;
  /** Inflated bytes of the body that were read; Content-Length if it was not read. */
  readonly bytes: number;
  /** null: no HTML, or the status is not 200. */
  readonly html: string | null;
}

/** For a body, sent and inflated. Longer bodies are cut. */
const MOST_BODY_BYTES = 2 * 1024 ** 2;
const TIMEOUT_MS = 20 * SECOND_MS;
const MOST_BYTES_TOLD = 2 ** 32 - 1;

interface Asking {
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Some servers redirect a URL to another spelling of itself. That spelling is fetched once, as it is the same page.
 * @param url in normal spelling
 * @param fetch fetches once without following redirects. @throws the signal's reason
 */
export async function fetchPage(url: string, fetch: Fetcher, asking: Asking): Promise<PageAnswer> {
  const answer = await askFor(url, fetch, asking);
  const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
  if (location === null || !isUrl(location, url)) return answer;
  const other = new URL(location, url);
  return other.href !== url && normalUrl(other) === url ? askFor(other.href, fetch, asking) : answer;
}

async function askFor(url: string, fetch: Fetcher, { now, signal }: Asking): Promise<PageAnswer> {
  const started = now();
  const passed = () => Math.max(0, Math.round(now() - started));
  let answer: Fetched;
  try {
    answer = await fetch(url, {
      ...{ maxBytes: MOST_BODY_BYTES, maxInflatedBytes: MOST_BODY_BYTES },
      ...{ maxRedirects: 0, follow: false, timeoutMs: TIMEOUT_MS, signal },
      headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5' },
    });
  } catch (error) {
    return {
      status: 0,
      error: codeOf(error, signal),
      headers: new Headers(),
      xRobotsTag: '',
      ms: passed(),
      bytes: 0,
      html: null,
    };
  }
  const { status, headers } = answer;
  const xRobotsTag = (answer.headerLines?.get('x-robots-tag') ?? []).join('\n');
  const received = { status, headers, xRobotsTag, ms: passed() };
  if (status !== 200 || !isHtml(headers.get('content-type'))) {
    answer.discard();
    const length = Number(headers.get('content-length') ?? 0);
    const bytes = length >= 0 && length <= MOST_BYTES_TOLD ? Math.floor(length) : 0;
    return { ...received, error: '', bytes, html: null };
  }
  const { body, bytes, error } = await readStart(answer.body, signal);
  const html = error === '' ? decodeHtml(body, headers.get('content-type')) : null;
  return { ...received, error, bytes, html };
}

/** A server without a content type usually sends pages. */
export function isHtml(contentType: string | null): boolean {
  const type = (contentType ?? '').slice(0, 200).split(';')[0]!.trim().toLowerCase();
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml';
}

async function readStart(body: Fetched['body'], signal: AbortSignal) {
  const chunks: Uint8Array[] = [];
  let error = '';
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (thrown) {
    error = codeOf(thrown, signal);
  }
  const read = Buffer.concat(chunks);
  if (error !== 'too_large') return { body: read, bytes: read.length, error };
  return { body: read, bytes: MOST_BODY_BYTES, error: '' };
}

/** @throws errors that are no FetchError */
function codeOf(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if (error instanceof FetchError) return error.code;
  throw error;
}
