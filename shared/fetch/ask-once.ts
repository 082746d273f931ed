import type { Dispatcher } from 'undici';
import { toFetchError } from './fetch-error.js';

/** What one request goes over. */
export interface Line {
  readonly dispatcher: Dispatcher;
  /** Nobody waits for the answer any more. */
  readonly abort: () => void;
  /** The answer was read to its end, or nobody reads the rest. */
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

/** One request, without what it redirects to. @throws FetchError; what the signal was aborted with, or FetchError for it. */
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
    // Nobody may be reading it when it ends in an error.
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

/** A name that is being looked up, or a connection that is being made, hears nothing of the request's own signal. */
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
      // A server may send bytes that the standard's class refuses; such a header is as good as none.
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
