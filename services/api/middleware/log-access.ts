import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { createLineLimit } from '../../../shared/logging/line-limit.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ApiEnv } from './env.js';

/** For calls without a valid key: lines per minute and address, and the number of addresses with their own count. */
const LINES_PER_MINUTE = 10;
const MOST_ADDRESSES = 100;

/**
 * Logs one line per answered request, without headers and query string, because both may contain secrets. Lines of calls without a
 * valid key are limited, so that they can not fill the disk.
 * @param clock milliseconds since the epoch
 */
export function logAccess(clock: () => number, logger: Logger): MiddlewareHandler<ApiEnv> {
  const strangers = createLineLimit({
    linesPerMinute: LINES_PER_MINUTE,
    mostSubjects: MOST_ADDRESSES,
    now: clock,
    onLeftOut: (leftOut) => logger.info(leftOut, 'lines of requests without a valid key were left out'),
  });

  return async (c, next) => {
    const started = clock();
    await next();
    const caller = c.get('caller');
    const line = {
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      duration_ms: Math.round(clock() - started),
      operation: c.get('operationId'),
    };
    if (caller !== undefined) {
      const { organisation, apiKey } = caller;
      c.get('log').info({ ...line, organisation_id: organisation.id, api_key_id: apiKey.id }, 'request');
      return;
    }
    const address = remoteAddress(c);
    const admitted = strangers.admit(address ?? '');
    if (admitted === null) return;
    const reason = c.get('refusal');
    c.get('log').info(
      {
        ...line,
        reason,
        remote_address: address,
        // Written by the client or a proxy, and not verified.
        forwarded_for: c.req.header('X-Forwarded-For'),
        ...admitted,
      },
      reason === undefined ? 'request' : 'API key refused',
    );
  };
}

/** Address of the connection; undefined if there is none (a test). */
export function remoteAddress(c: Context<ApiEnv>): string | undefined {
  return (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket?.remoteAddress;
}
