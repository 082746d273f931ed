import { z } from 'zod';
import { SourceError } from '../source-error.js';

/** An error response of a Google service: an HTTP status and a body with reasons. */

const body = z.object({
  error: z.union([
    /** From the token endpoint: `invalid_grant`. */
    z.string(),
    z.object({
      message: z.string().default(''),
      status: z.string().default(''),
      errors: z.array(z.object({ reason: z.string().default('') })).default([]),
    }),
  ]),
});

/** 403 means a rate limit if the body has one of these reasons; otherwise access is refused. */
const limits = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded']);

const failure = z.object({
  status: z.coerce.number().optional(),
  response: z.object({ status: z.number(), data: z.unknown() }).optional(),
  message: z.string().default(''),
});

/** @param error thrown by a Google client */
export function googleError(error: unknown): SourceError {
  const thrown = failure.safeParse(error).data;
  const status = thrown?.response?.status ?? thrown?.status;
  const said = body.safeParse(thrown?.response?.data).data?.error;
  const message = (typeof said === 'object' ? said.message : said) || thrown?.message || String(error);
  return new SourceError(reasonOf(status, said), `Google: ${message.slice(0, 300)}`);
}

function reasonOf(
  status: number | undefined,
  said: z.output<typeof body>['error'] | undefined,
): SourceError['reason'] {
  const named = typeof said === 'object' ? [said.status, ...said.errors.map(({ reason }) => reason)] : [];
  if (status === 429 || named.some((name) => limits.has(name) || name === 'RESOURCE_EXHAUSTED'))
    return 'limited';
  return status !== undefined && status >= 400 && status < 500 ? 'refused' : 'unavailable';
}
