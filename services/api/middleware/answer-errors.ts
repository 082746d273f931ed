import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import {
  PaymentRefusedError,
  PaymentUnavailableError,
} from '../../../shared/control/domain/payment-processor.js';
import { PublicError } from '../../../shared/errors.js';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import {
  AnswerTooLongError,
  ReadEndedError,
  ReadTooLargeError,
  StoreBusyError,
  StoreDamagedError,
  StoreOutOfMemoryError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../../shared/store/store-errors.js';
import { CallerGoneError } from '../answer-cache/answer-cache.js';
import type { ApiEnv } from './env.js';

// biome-ignore lint/suspicious/noExplicitAny: errors are made of different things
type ErrorClass = new (...given: any[]) => Error;

/** The answer to a known failure. Seconds: how long to wait; the embedded engine restarts within five. */
const known: readonly (readonly [
  error: ErrorClass,
  code: 'unavailable' | 'invalid_request',
  detail: string,
  retryAfterSeconds?: number,
])[] = [
  [StoreBusyError, 'unavailable', 'Too many reads wait already; repeat the call.', 5],
  [
    StoreOutOfMemoryError,
    'unavailable',
    'The data store is out of memory at the moment; repeat the call.',
    5,
  ],
  [
    StoreUnavailableError,
    'unavailable',
    'The data store is not reachable at the moment; repeat the call.',
    5,
  ],
  [
    StoreTimeoutError,
    'unavailable',
    'The data store took too long; repeat the call or narrow the window.',
    5,
  ],
  [
    AnswerTooLongError,
    'invalid_request',
    'The answer would be too long, in rows or in bytes; ask for fewer rows (limit, page_size), narrow the window or add a filter.',
  ],
  [
    ReadTooLargeError,
    'invalid_request',
    'The answer needs more memory than one read may take; narrow the window, add a filter or ask for fewer rows.',
  ],
  [LogUnavailableError, 'unavailable', 'The change could not be stored at the moment; repeat the call.', 5],
  [PaymentUnavailableError, 'unavailable', 'The payment processor does not answer; repeat the call.', 30],
];

/** Every failure becomes `{detail}` with the error's own fields (spec §7). Only a PublicError's text is shown; the rest goes into the log. */
export function answerErrors(error: Error, c: Context<ApiEnv>): Response {
  const told = callerHasGone(error, c) ? callerGone(error) : toPublicError(error, c.get('requestId'));
  // A limit that was reached is no failure of ours: callers must not be able to fill the log with stacks.
  // The client has already logged the damage (shared/store/report-damage.ts).
  if (
    error instanceof StoreUnavailableError ||
    error instanceof StoreTimeoutError ||
    error instanceof StoreDamagedError
  )
    c.get('log').warn({ reason: error.message, operation: c.get('operationId') }, 'read not answered');
  else if (told.status >= 500 || isUnexpected(error))
    c.get('log').error({ err: error, operation: c.get('operationId') }, 'request failed');
  // A cache may keep a 404 or 405 that says nothing of it; the path can be there with the next release.
  c.header('Cache-Control', 'no-store');
  if (told.retryAfterSeconds !== undefined) c.header('Retry-After', String(told.retryAfterSeconds));
  if (told.status === 401) c.header('WWW-Authenticate', 'Bearer realm="loglane"');
  return c.json({ detail: told.message, ...told.fields }, told.status);
}

/** It is neither told to callers nor what ends with a caller: a defect, also where nobody is left to be told of it. */
function isUnexpected(error: Error): boolean {
  const endedWithCaller =
    error instanceof CallerGoneError || error instanceof ReadEndedError || error.name === 'AbortError';
  return !endedWithCaller && toPublicError(error, '').status === 500;
}

/** Whatever it was that ended then: nobody is there to be told. */
function callerHasGone(error: Error, c: Context<ApiEnv>): boolean {
  return !(error instanceof PublicError) && (error instanceof CallerGoneError || c.req.raw.signal.aborted);
}

function callerGone(cause: Error): PublicError {
  return new PublicError('request_timeout', 'The connection was closed before the answer was there.', {
    cause,
  });
}

function toPublicError(error: Error, requestId: string): PublicError {
  if (error instanceof PublicError) return error;
  const cause = error;
  for (const [kind, code, detail, retryAfterSeconds] of known)
    if (error instanceof kind)
      return new PublicError(code, detail, {
        cause,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
  if (error instanceof StoreDamagedError) return damaged(error);
  if (error instanceof PaymentRefusedError)
    return new PublicError('conflict', error.message, { cause, fields: { code: 'payment_refused' } });
  if (error instanceof HTTPException && error.status === 413)
    return new PublicError('body_too_large', 'The body is larger than this path takes.', { cause });
  return new PublicError('internal', `Internal server error (request ${requestId}).`, { cause });
}

/** Repeating the call does not help, so it says nothing of when. */
function damaged(error: StoreDamagedError): PublicError {
  const detail =
    error.days === null
      ? 'Stored data that this answer needs is damaged. The operator of this installation has to restore it.'
      : `Stored data of ${error.days} (UTC) is damaged. The operator of this installation has to restore it; a window without these days can be read.`;
  return new PublicError('unavailable', detail, { cause: error });
}
