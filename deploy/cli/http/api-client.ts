import { visibleLine } from '../../../shared/visible-text.js';
import { AnswerTooLong, boundedText } from '../../import/bounded-text.js';
import { CliError, type ExitCode, exitCodes, failure } from '../cli-error.js';
import type { Context } from '../context.js';

/** Calls of the API, and its refusals as errors of the command line. */

export interface Call {
  readonly method: string;
  /** From `/public/v1` on, or another path of the instance. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the answer may be at another address: a file in a bucket. `fetch` does not send the key to another host. */
  readonly mayBeElsewhere?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined: the body is no JSON, and `response` is unread. */
  readonly json: unknown;
  readonly response: Response;
}

export interface ApiClient {
  readonly url: string;
  /** @throws CliError for every answer but a success. */
  call(call: Call): Promise<Reply>;
}

export interface ApiAccess {
  readonly url: string;
  readonly key: string;
}

const TIMEOUT_MS = 120_000;
/** Waits before the attempts after the first one. */
const WAITS_MS = [500, 2_000];
const LONGEST_NAMED_WAIT_MS = 10_000;
const LONGEST_DETAIL = 2_000;
/** Far above the largest answer of the API: a page of requests with whole texts. */
const MOST_ANSWER_BYTES = 64 * 1024 ** 2;
const MOST_REFUSAL_BYTES = 1024 ** 2;
const REPEATED = new Set([502, 503, 504]);

export function createApiClient(
  { fetch, sleep, signal, version }: Pick<Context, 'fetch' | 'sleep' | 'signal' | 'version'>,
  { url, key }: ApiAccess,
): ApiClient {
  async function attempt({
    method,
    path,
    query,
    body,
    headers,
    mayBeElsewhere = false,
  }: Call): Promise<Response | CliError> {
    const search = query === undefined || query.size === 0 ? '' : `?${query}`;
    try {
      return await fetch(`${url}${path}${search}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          'user-agent': `loglane-cli/${version}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: mayBeElsewhere ? 'follow' : 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    } catch (error) {
      return unreachable(url, error);
    }
  }

  return {
    url,
    async call(call) {
      // A write that has the same key again gets the first answer.
      const mayRepeat = call.method === 'GET' || call.headers?.['idempotency-key'] !== undefined;
      for (let at = 0; ; at++) {
        const outcome = await attempt(call);
        const wait = mayRepeat && !signal.aborted ? WAITS_MS[at] : undefined;
        const isGone = outcome instanceof CliError;
        if (wait !== undefined && (isGone || REPEATED.has(outcome.status))) {
          await sleep(isGone ? wait : Math.min(LONGEST_NAMED_WAIT_MS, waitNamedBy(outcome) ?? wait));
          continue;
        }
        if (isGone) throw outcome;
        return readReply(outcome, url);
      }
    },
  };
}

async function readReply(response: Response, url: string): Promise<Reply> {
  const { status, headers } = response;
  const isJson = /^application\/([\w.+-]*\+)?json\b/.test(headers.get('content-type') ?? '');
  if (status >= 200 && status < 300)
    return { status, headers, response, json: isJson ? await readJson(response, url) : undefined };
  const text = await boundedText(response, MOST_REFUSAL_BYTES).catch(() => '');
  throw refusalOf(status, headers, text);
}

async function readJson(response: Response, url: string): Promise<unknown> {
  try {
    return JSON.parse(await boundedText(response, MOST_ANSWER_BYTES));
  } catch (error) {
    if (error instanceof AnswerTooLong) throw new CliError(error.message, exitCodes.server);
    if (error instanceof SyntaxError) throw new CliError('the answer is no JSON', exitCodes.server);
    throw unreachable(url, error);
  }
}

/** The error for an answer that is no success. */
export function refusalOf(status: number, headers: Headers, text: string): CliError {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return failure(
      `the instance answers with a redirect to ${visibleLine(location.slice(0, LONGEST_DETAIL))}; set LOGLANE_URL to that address if it is right`,
    );
  const body = parseObject(text);
  const detail = typeof body?.detail === 'string' ? body.detail : text.slice(0, 200);
  const seconds = headers.get('retry-after');
  const again = seconds === null ? '' : ` (try again in ${visibleLine(seconds)} s)`;
  const message = visibleLine(detail).slice(0, LONGEST_DETAIL) || `the instance answered ${status}`;
  return new CliError(`${message}${again}`, exitCodeOf(status), {
    retryable:
      status === 408 || status === 429 || (status >= 500 && seconds !== null) || REPEATED.has(status),
    fields: { ...body, status, ...(seconds !== null && { retry_after: Number(seconds) }) },
  });
}

export function exitCodeOf(status: number): ExitCode {
  if (status === 404) return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 429) return exitCodes.limit;
  if (status >= 500) return exitCodes.server;
  return [400, 405, 413, 415].includes(status) ? exitCodes.usage : exitCodes.failure;
}

function unreachable(url: string, error: unknown): CliError {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const reason = cause?.code ?? cause?.message ?? (error as Error).message;
  return new CliError(`${new URL(url).host} can't be reached (${visibleLine(reason)})`, exitCodes.server, {
    retryable: true,
  });
}

/** Retry-After in milliseconds; null: absent. */
function waitNamedBy({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds * 1_000 : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
