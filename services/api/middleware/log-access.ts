import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './env.js';

/** One line per answered request. Neither headers nor the query string: both may carry what a log must not keep. */
export function logAccess(clock: () => number): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const started = clock();
    await next();
    const caller = c.get('caller');
    c.get('log').info(
      {
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        duration_ms: Math.round(clock() - started),
        operation: c.get('operationId'),
        organisation_id: caller?.organisation.id,
        api_key_id: caller?.apiKey.id,
      },
      'request',
    );
  };
}
