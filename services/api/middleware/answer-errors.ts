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
import { bodyWasCut } from './body-was-cut.js';
import type { ApiEnv } from './env.js';

// biome-ignore lint/suspicious/noExplicitAny: errors are made of different things
type ErrorClass = new (...args: any[]) => Error;

/** Answers to known failures, with seconds for Retry-After; the embedded engine restarts within five. */
const errorClasses: readonly (readonly [
  error: ErrorClass,
  code: 'unavailable' | 'invalid_request',
  detail: string,
  retryAfterSeconds?: number,
])[] = [
  [StoreBusyError, 'unavailable', 'Too many reads are waiting; repeat the call.', 5],
  [StoreOutOfMemoryError, 'unavailable', 'The data store is out of memory; repeat the call.', 5],
  [StoreUnavailableError, 'unavailable', 'The data store is not reachable; repeat the call.', 5],
  [
    StoreTimeoutError,
    'unavailable',
    'The data store took too long; repeat the call or narrow the window.',
    5,
  ],
  [
    AnswerTooLongError,
    'invalid_request',
    'The answer would be too long, in rows or in bytes; request fewer rows (limit, page_size), narrow the window or add a filter.',
  ],
  [
    ReadTooLargeError,
    'invalid_request',
    'The answer needs more memory than one read may take; narrow the window, add a filter or request fewer rows.',
  ],
  [LogUnavailableError, 'unavailable', 'The change could not be stored; repeat the call.', 5],
  [PaymentUnavailableError, 'unavailable', 'The payment processor does not answer; repeat the call.', 30],
];

/** Every failure becomes `{detail}` with the error's own fields (spec §7). Only the text of a PublicError is shown; the log has the rest. */
export function answerErrors(error: Error, c: Context<ApiEnv>): Response {
  const publicError = callerHasGone(error, c) ? callerGone(error) : toPublicError(error, c.get('requestId'));
  // Limits are no failures of the service: callers must not be able to fill the log with stack traces.
  // For damage, the client has already logged it (shared/store/report-damage.ts).
  if (
    isRefusal(error) ||
    error instanceof StoreUnavailableError ||
    error instanceof StoreTimeoutError ||
    error instanceof StoreDamagedError
  )
    c.get('log').warn({ reason: error.message, operation: c.get('operationId') }, 'read not answered');
  else if (publicError.status >= 500 || (isUnexpected(error) && !bodyWasCut(error, c)))
    c.get('log').error({ err: error, operation: c.get('operationId') }, 'request failed');
  // A cache may keep a 404 or 405 without Cache-Control, but the path may exist in the next release.
  c.header('Cache-Control', 'no-store');
  if (publicError.retryAfterSeconds !== undefined)
    c.header('Retry-After', String(publicError.retryAfterSeconds));
  if (publicError.status === 401) c.header('WWW-Authenticate', 'Bearer realm="loglane"');
  return c.json({ detail: publicError.message, ...publicError.fields }, publicError.status);
}

/** Whether the call was refused on purpose, for example by a limit of reads: nothing failed. */
const isRefusal = (error: Error) =>
  error instanceof PublicError && error.code === 'unavailable' && error.cause === undefined;

/** Neither a known refusal nor the result of a disconnect: a defect, also if no caller waits for the answer. */
function isUnexpected(error: Error): boolean {
  const endedWithCaller =
    error instanceof CallerGoneError || error instanceof ReadEndedError || error.name === 'AbortError';
  return !endedWithCaller && toPublicError(error, '').status === 500;
}

/** @returns whether the caller has disconnected, regardless of the error. */
function callerHasGone(error: Error, c: Context<ApiEnv>): boolean {
  if (error instanceof PublicError) return false;
  return error instanceof CallerGoneError || c.req.raw.signal.aborted || bodyWasCut(error, c);
}

function callerGone(cause: Error): PublicError {
  return new PublicError('request_timeout', 'The connection was closed before the answer was ready.', {
    cause,
  });
}

function toPublicError(error: Error, requestId: string): PublicError {
  if (error instanceof PublicError) return error;
  const cause = error;
  for (const [kind, code, detail, retryAfterSeconds] of errorClasses)
    if (error instanceof kind)
      return new PublicError(code, detail, {
        cause,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
  if (error instanceof StoreDamagedError) return damaged(error);
  if (error instanceof PaymentRefusedError)
    return new PublicError('conflict', error.message, { cause, fields: { code: 'payment_refused' } });
  if (error instanceof HTTPException && error.status === 413)
    return new PublicError('body_too_large', 'The body is larger than this path allows.', { cause });
  return new PublicError('internal', `Internal server error (request ${requestId}).`, { cause });
}

/** Repeating the call does not help, so there is no Retry-After. */
function damaged(error: StoreDamagedError): PublicError {
  const detail =
    error.days === null
      ? 'Stored data that this answer needs is damaged. The operator of this installation has to restore it.'
      : `Stored data of ${error.days} (UTC) is damaged. The operator of this installation has to restore it; a window without these days can be read.`;
  return new PublicError('unavailable', detail, { cause: error });
}
