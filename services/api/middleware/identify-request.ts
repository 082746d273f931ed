import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from '../../../shared/logging/log.js';
import type { ApiEnv } from './env.js';

/** What a caller may name a request: fits any header and any log line. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/** X-Request-Id in, if it is fit to be logged, and out; a logger that carries it. */
export function identifyRequest(logger: Logger, newId: () => string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const given = c.req.header('X-Request-Id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : newId();
    c.set('requestId', requestId);
    c.set('log', logger.child({ request_id: requestId }));
    c.header('X-Request-Id', requestId);
    // No answer is to be taken for something else than it says it is.
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
    // What of the body has not come yet is not wanted: the connection ends with the answer (service.ts).
    if (bodyIsOnItsWay(c)) c.header('Connection', 'close');
  };
}

function bodyIsOnItsWay(c: Context<ApiEnv>): boolean {
  return (c.env as Partial<HttpBindings> | undefined)?.incoming?.complete === false;
}
