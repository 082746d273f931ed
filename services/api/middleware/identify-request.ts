import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from '../../../shared/logging/log.js';
import type { ApiEnv } from './env.js';

/** Allowed request ids: safe in any header and any log line. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/** Takes a valid X-Request-Id from the call, returns it in the answer and adds it to the logger. */
export function identifyRequest(logger: Logger, newId: () => string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const sentId = c.req.header('X-Request-Id');
    const requestId = sentId !== undefined && REQUEST_ID.test(sentId) ? sentId : newId();
    c.set('requestId', requestId);
    c.set('log', logger.child({ request_id: requestId }));
    c.header('X-Request-Id', requestId);
    // Clients must not guess another content type.
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
    // The rest of an unread body is not wanted: the connection closes after the answer (api-service.ts).
    if (bodyIsOnItsWay(c)) c.header('Connection', 'close');
  };
}

function bodyIsOnItsWay(c: Context<ApiEnv>): boolean {
  return (c.env as Partial<HttpBindings> | undefined)?.incoming?.complete === false;
}
