import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { PublicError } from '../../../shared/errors.js';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { bodyWasCut } from '../middleware/body-was-cut.js';
import type { ApiEnv } from '../middleware/env.js';

/** Errors of RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8707 §2 and RFC 7009 §2.2.1, with their status. */
const statusOf = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;

export type OAuthErrorCode = keyof typeof statusOf;

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly retryAfterSeconds: number | undefined;

  /** @param description shown to the client: printable ASCII without `"` and `\` (RFC 6749 §5.2). */
  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(description, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The JSON of an OAuth error, also for failures of the server. */
export function answerOAuthErrors(error: Error, c: Context<ApiEnv>): Response {
  c.header('Cache-Control', 'no-store');
  if (error instanceof HTTPException && error.status === 413)
    return c.json(bodyOf('invalid_request', 'The body is larger than this path allows.'), 413);
  if (bodyWasCut(error, c)) return c.json(bodyOf('invalid_request', 'The body ended early.'), 408);
  const { code, message, retryAfterSeconds } = error instanceof OAuthError ? error : ofServer(error);
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  if (code === 'invalid_client') c.header('WWW-Authenticate', 'Bearer realm="loglane"');
  if (error instanceof PublicError && error.code === 'rate_limited')
    return c.json(bodyOf(code, message), 429);
  if (statusOf[code] >= 500) c.get('log').error({ err: error }, 'request failed');
  return c.json(bodyOf(code, message), statusOf[code]);
}

function ofServer(cause: Error): OAuthError {
  if (cause instanceof LogUnavailableError)
    return new OAuthError('temporarily_unavailable', 'The change could not be stored; repeat the call.', {
      cause,
      retryAfterSeconds: 5,
    });
  if (!(cause instanceof PublicError))
    return new OAuthError('server_error', 'Internal server error.', { cause });
  const isLater = cause.code === 'unavailable' || cause.code === 'rate_limited';
  return new OAuthError(isLater ? 'temporarily_unavailable' : 'invalid_request', cause.message, {
    cause,
    ...(cause.retryAfterSeconds !== undefined && { retryAfterSeconds: cause.retryAfterSeconds }),
  });
}

function bodyOf(error: OAuthErrorCode, description: string) {
  return { error, error_description: description };
}
