import type { IncomingMessage, ServerResponse } from 'node:http';
import { PublicError } from '../../../shared/errors.js';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { SUPPORTED_ENCODINGS } from '../body/inflate.js';
import type { SenderAnswer } from '../senders/sender.js';

/** Headers of every answer: no cache stores it, and no browser guesses its type. */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Up to this size, the rest of a body is read after an early answer, so that the connection can be reused. */
const SMALL_BODY_BYTES = 256 * 1024;
/** Bytes and time that a sender may still use after a refusal. */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 2_000;

/**
 * The refusal that the sender sees of a failure. Overload and an unavailable log are 503, never 429: some shippers
 * drop a batch on 429, and all of them repeat it on 503.
 */
export function toPublicError(error: unknown): PublicError {
  if (error instanceof PublicError) return error;
  if (error instanceof LogUnavailableError) {
    return new PublicError(
      'unavailable',
      'The log does not take records at the moment; send the upload again.',
      {
        cause: error,
        retryAfterSeconds: 5,
      },
    );
  }
  // Not 500: Fluentd and OpenTelemetry's Collector drop a batch on it.
  return new PublicError('unavailable', 'The upload failed; send it again.', {
    cause: error,
    retryAfterSeconds: 30,
    fields: { reason: 'failed' },
  });
}

/** Headers for a refusal's status. */
function errorHeaders(error: PublicError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  if (error.status === 401) headers['www-authenticate'] = 'Bearer realm="loglane ingest"';
  if (error.status === 415) headers['accept-encoding'] = SUPPORTED_ENCODINGS;
  return headers;
}

/** @param counts of an upload, for its answer */
export function refusalAnswer(error: PublicError, counts: Record<string, unknown> = {}): SenderAnswer {
  return {
    status: error.status,
    headers: errorHeaders(error),
    body: { detail: error.message, ...error.fields, ...counts },
  };
}

export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: PublicError,
  moreHeaders: Record<string, string> = {},
): void {
  const { status, body, headers } = refusalAnswer(error);
  answerJson(request, response, status, body, { ...headers, ...moreHeaders });
}

/** Answers with JSON, or with the bytes if the body is a Buffer. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: SenderAnswer,
): void {
  if (body instanceof Buffer) answerBody(request, response, status, body, headers);
  else answerJson(request, response, status, body, headers);
}

/**
 * Answers with JSON. If the request's body is not read to its end, the answer is sent at once and the rest of the
 * body is discarded for a moment. Closing a connection with unread bytes resets it, and the sender would see the
 * reset instead of the answer.
 */
export function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(`${JSON.stringify(value)}\n`);
  answerBody(request, response, status, body, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
}

/** Answers with these bytes; `headers` have their type. */
export function answerBody(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.destroyed || response.headersSent) return;
  // After a 408 the rest of the body is not awaited.
  const closes = !request.complete && (status === 408 || !isSmall(request));
  response.writeHead(status, {
    'content-length': body.length,
    ...headers,
    ...(closes ? { connection: 'close' } : {}),
  });
  if (!closes) {
    response.end(request.method === 'HEAD' ? undefined : body);
    return;
  }
  response.write(body);
  linger(request, response);
}

function isSmall(request: IncomingMessage): boolean {
  if (request.headers.expect !== undefined) return false;
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] === undefined;
  return Number(length) <= SMALL_BODY_BYTES;
}

function linger(request: IncomingMessage, response: ServerResponse): void {
  let received = 0;
  const close = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(close, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > LINGER_BYTES) close();
  });
  request.once('end', close);
  request.once('error', close);
  request.once('close', close);
  readAway(request);
}

/** Discards the rest of the body, also if a read was still waiting. */
function readAway(request: IncomingMessage): void {
  request.removeAllListeners('readable');
  request.resume();
}

/**
 * Discards the rest of an unread body after the answer, so that the connection can carry the next request. node:http
 * would not read the rest of a partly read body, and would wait without limit for an unread one. Both get LINGER_MS.
 */
export function endUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.socket.destroyed) return;
    // After completion the connection may carry the next request.
    const endUnread = () => {
      if (!request.complete) request.socket.destroy();
    };
    const timer = setTimeout(endUnread, LINGER_MS);
    request.once('close', () => clearTimeout(timer));
    readAway(request);
  });
}
