import { FetchError } from '../../../../shared/fetch/fetch-error.js';
import type { Fetched, Fetcher } from '../../../../shared/fetch/fetcher.js';
import { createTurns, inTurns } from '../../../../shared/pacing/turns.js';
import type { Outcome } from '../../../../shared/reads/checks/verdict.js';
import { decodeHtml } from '../../html/decode-html.js';
import type { Retrieval } from '../facts/facts.js';
import { readHtml } from '../facts/read-html.js';

/** One light fetch for the checks. */

export interface RetrieveOptions {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface RetrieveDeps {
  readonly fetch: Fetcher;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** A longer chain of redirects counts as endless. */
const MAX_REDIRECTS = 6;
/** For a text that is no HTML. */
const KEPT_TEXT = 20_000;

/** @throws the signal's reason. A website that does not respond is an outcome, not an error */
export async function retrieve(
  url: string,
  { maxBytes, timeoutMs, headers = {} }: RetrieveOptions,
  { fetch, now, signal }: RetrieveDeps,
): Promise<Retrieval> {
  const startedAt = now();
  try {
    const fetched = await fetch(url, {
      // Reading stops at the limit. The fetcher's own limit covers the bytes that are buffered beyond it.
      maxBytes: 2 * maxBytes,
      maxInflatedBytes: 2 * maxBytes,
      maxRedirects: MAX_REDIRECTS,
      timeoutMs,
      headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5', ...headers },
      signal,
    });
    const headMs = now() - startedAt;
    const read = await readBeginning(fetched, maxBytes);
    signal.throwIfAborted();
    return await toRetrieval(url, fetched, read, headMs);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchError)) throw error;
    return { ...nothingOf(url, now() - startedAt), ...failureOf(error) };
  }
}

interface Beginning {
  readonly bytes: Buffer;
  readonly isCut: boolean;
  /** Why the body could not be read completely; null: it was. */
  readonly error: FetchError | null;
}

async function readBeginning({ body }: Fetched, maxBytes: number): Promise<Beginning> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let error: FetchError | null = null;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (caught) {
    if (!(caught instanceof FetchError)) throw caught;
    error = caught;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: length > maxBytes, error };
}

const nothingOf = (url: string, headMs: number) => ({
  requestedUrl: url,
  finalUrl: null,
  redirects: [],
  status: null,
  headers: new Map<string, string>(),
  robotsTags: [],
  bytes: 0,
  isCut: false,
  text: '',
  html: null,
  headMs,
  certificateUntil: null,
});

function failureOf({ code, message }: FetchError): Pick<Retrieval, 'outcome' | 'error'> {
  const isAnswer = code === 'too_many_redirects' || code === 'invalid_url' || code === 'bad_encoding';
  return { outcome: isAnswer ? 'invalid' : 'unreachable', error: { code, message } };
}

async function toRetrieval(
  url: string,
  fetched: Fetched,
  read: Beginning,
  headMs: number,
): Promise<Retrieval> {
  const { status, finalUrl, redirects, certificateUntil } = fetched;
  const headers = new Map(fetched.headers);
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  const text = decodeHtml(read.bytes, type);
  const isHtml = type.includes('html') || (type === '' && /^\s*</.test(text));
  return {
    outcome: outcomeOf(status, headers, read),
    requestedUrl: url,
    finalUrl,
    redirects: [...redirects],
    status,
    error: read.error === null ? null : { code: read.error.code, message: read.error.message },
    headers,
    robotsTags: fetched.headerLines?.get('x-robots-tag') ?? [],
    bytes: read.bytes.length,
    isCut: read.isCut,
    text: isHtml ? '' : text.slice(0, KEPT_TEXT),
    html: isHtml ? await inTurns(readHtml(text), createTurns()) : null,
    headMs,
    certificateUntil: certificateUntil ?? null,
  };
}

function outcomeOf(
  status: number,
  headers: ReadonlyMap<string, string>,
  { error, isCut }: Beginning,
): Outcome {
  // A CDN's browser challenge has this header with any status.
  if (status === 401 || status === 403 || status === 429 || headers.get('cf-mitigated') === 'challenge')
    return 'blocked';
  if (status === 404 || status === 410) return 'missing';
  if (status >= 500) return 'server_error';
  if (status < 200 || status >= 300) return 'http_error';
  if (error === null) return isCut ? 'partial' : 'ok';
  return error.code === 'bad_encoding' ? 'invalid' : 'partial';
}
