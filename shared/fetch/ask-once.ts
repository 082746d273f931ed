import type { Dispatcher } from 'undici';
import { toFetchError } from './fetch-error.js';

/** The connection of one request. */
export interface Line {
  readonly dispatcher: Dispatcher;
  /** Called when the caller has given up. */
  readonly abort: () => void;
  /** Called when the body was read to its end or discarded. */
  readonly release: (body: AnswerBody) => void;
  readonly certificateUntil: () => number | undefined;
}

export type AnswerBody = Dispatcher.ResponseData['body'];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly headerLines: ReadonlyMap<string, readonly string[]>;
  readonly certificateUntil: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

interface Asking {
  readonly line: Line;
  readonly signal: AbortSignal;
  readonly body: Uint8Array | undefined;
}

/**
 * Sends one request and follows no redirect. @throws FetchError; the abort reason of the signal, or FetchError for it.
 */
export async function askOnce(
  url: URL,
  headers: Record<string, string>,
  { line, signal, body }: Asking,
): Promise<Answer> {
  signal.throwIfAborted();
  const end = watch(signal, line);
  try {
    const asked = line.dispatcher.request({
      ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }),
      origin: url.origin,
      path: url.pathname + url.search,
      headers,
      signal,
    });
    const answer = await Promise.race([asked, end.aborted]);
    // Errors may occur while nobody reads the body.
    answer.body.on('error', () => {});
    return {
      status: answer.statusCode,
      headers: toHeaders(answer.headers),
      headerLines: toLines(answer.headers),
      certificateUntil: line.certificateUntil(),
      body: answer.body,
      close() {
        end.stop();
        line.release(answer.body);
      },
    };
  } catch (error) {
    end.stop();
    line.abort();
    throw toFetchError(error, url.hostname);
  }
}

/** The request's own signal does not cancel a DNS look-up or a connection attempt. */
function watch(signal: AbortSignal, line: Line) {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      line.abort();
      reject(signal.reason);
    };
  });
  aborted.catch(() => {});
  signal.addEventListener('abort', onAbort, { once: true });
  return { aborted, stop: () => signal.removeEventListener('abort', onAbort) };
}

function toHeaders(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) {
      // Skips headers with bytes that the `Headers` class refuses.
      try {
        headers.append(name, one);
      } catch {}
    }
  }
  return headers;
}

function toLines(given: Record<string, string | string[] | undefined>) {
  return new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat()]));
}
