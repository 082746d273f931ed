import type { Hono } from 'hono';
import { pause } from '../../../shared/pacing/pause.js';
import type { ApiEnv } from '../middleware/env.js';
import { isSent, type Operation } from '../operation/operation.js';
import { pathOf, queryOf } from '../operation/routes.js';
import { ToolRefusal } from './tool-refusal.js';

/**
 * Every answer of a tool comes from the API itself, called in this process with the caller's key: authentication, plan, scope, limits,
 * checks, logs and metrics are the API's.
 */

/** The application that has this server as one of its paths. */
export type Api = Pick<Hono<ApiEnv>, 'request'>;

export interface Called {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export type Call = (
  operation: Operation,
  parameters: Parameters,
  body?: Readonly<Record<string, unknown>>,
) => Promise<Called>;

export interface CallOptions {
  readonly key: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Time for answers that are still being computed. */
const BUFFERING_MS = 20_000;
const DEFAULT_RETRY_SECONDS = 2;

/** @returns a function that waits while an answer is `data_buffering`, for 20 s at most. */
export function callerOf(api: Api, options: CallOptions): Call {
  return async (operation, parameters, body) => {
    const started = options.now();
    for (let paused = 0; ; ) {
      const response = await send(api, options, { operation, parameters, body });
      const json = (await response.json()) as Record<string, unknown>;
      const wait = secondsOf(response.headers.get('Retry-After')) * 1_000;
      const waited = Math.max(options.now() - started, paused);
      if (json.data_buffering !== true || waited + wait > BUFFERING_MS || options.signal.aborted)
        return accepted(response, json);
      await pause(wait, options.signal);
      paused += wait;
    }
  };
}

const secondsOf = (header: string | null) =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : DEFAULT_RETRY_SECONDS;

interface Sending {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

async function send(
  api: Api,
  { key, requestId, signal }: CallOptions,
  { operation, parameters, body }: Sending,
) {
  const init = {
    method: operation.method.toUpperCase(),
    signal,
    headers: {
      Authorization: `Bearer ${key}`,
      'X-Request-Id': requestId,
      ...(isSent(operation) && { 'Content-Type': 'application/json' }),
    },
    ...(isSent(operation) && { body: JSON.stringify(body ?? {}) }),
  };
  return api.request(addressOf(operation, parameters), init, { throughMcp: true });
}

/** @throws ToolRefusal for a missing path parameter, and for one that a write does not have. */
function addressOf(operation: Operation, parameters: Parameters): string {
  const rest = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const path = pathOf(operation).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined) throw new ToolRefusal(`${operation.id} needs the parameter ${name}.`);
    rest.delete(name);
    return segmentOf(name, String(value));
  });
  if (isSent(operation) && rest.size > 0)
    throw new ToolRefusal(`${operation.id} takes no query parameters; its fields belong into body.`);
  if (operation.replies.some(({ body }) => body === 'redirect') && 'redirect' in queryOf(operation).shape)
    rest.set('redirect', false);
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** @throws ToolRefusal for a value that would lead to another path. */
function segmentOf(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new ToolRefusal(`${name}: expected an id or a name.`);
  return encodeURIComponent(Buffer.from(value).toString());
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The API refuses an argument; the reason is between the marks. Correct it and repeat the call.',
  401: 'The key is not valid any more.',
  403: 'The key or the plan does not allow this; the reason is between the marks.',
  404: 'There is no such thing; the reason is between the marks.',
  409: 'The change conflicts with the present state; the reason is between the marks.',
  413: 'The answer or the body is too large; the reason is between the marks.',
  429: 'The limit of calls is reached.',
  503: 'The store does not answer in time. Repeat the call, or use a shorter period.',
};

/** @throws ToolRefusal for an answer that is no success. */
function accepted(response: Response, json: Record<string, unknown>): Called {
  const { status } = response;
  if (status < 400) return { status, json };
  const again = response.headers.get('Retry-After');
  const meaning = meanings[status] ?? 'The API can not answer this call.';
  throw new ToolRefusal(again === null ? meaning : `${meaning} Repeat it after ${secondsOf(again)} s.`, {
    detail: String(json.detail ?? ''),
    status,
  });
}
