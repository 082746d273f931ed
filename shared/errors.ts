/**
 * Errors that a caller may see. `detail` is public; the `cause` goes only to the log. The code determines the status,
 * so no handler chooses one (spec §7).
 */

const statusOf = {
  invalid_request: 400,
  missing_key: 401,
  invalid_key: 401,
  plan_without_api: 403,
  read_only_key: 403,
  forged_request: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusOf;
export type ErrorStatus = (typeof statusOf)[ErrorCode];

export class PublicError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** Seconds to wait before a retry; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Added to the response body next to `detail`: a code, a limit. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number;
      fields?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.status = statusOf[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields ?? {};
  }
}
