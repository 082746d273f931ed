import type { Context, MiddlewareHandler } from 'hono';
import { MINUTE_MS } from '../../../shared/durations.js';
import { PublicError } from '../../../shared/errors.js';
import { createLineLimit } from '../../../shared/logging/line-limit.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ApiEnv } from '../middleware/env.js';
import { remoteAddress } from '../middleware/log-access.js';

/** Addresses with a count of their own; all others share one. */
const MOST_ADDRESSES = 10_000;

/**
 * Bounds the calls of strangers, by the address of the connection: a header can be forged. Behind a proxy all clients share
 * its address, so the limits are wide. The limit of log lines counts calls just as well.
 * @param counts failures: strangers behind the same proxy can not stop a client with a valid code or token.
 */
export function limitAddresses(
  callsPerMinute: number,
  { now, logger }: { readonly now: () => number; readonly logger: Logger },
  counts: 'all' | 'failures' = 'all',
): MiddlewareHandler<ApiEnv> {
  const calls = createLineLimit({
    linesPerMinute: callsPerMinute,
    mostSubjects: MOST_ADDRESSES,
    now,
    onLeftOut: ({ lines, subjects }) =>
      logger.warn({ calls: lines, addresses: subjects }, 'OAuth calls refused'),
  });
  const count = (c: Context<ApiEnv>) => {
    if (calls.admit(remoteAddress(c) ?? '') === null)
      throw new PublicError(
        'rate_limited',
        `At most ${callsPerMinute} of these calls a minute; repeat it later.`,
        {
          retryAfterSeconds: Math.ceil((MINUTE_MS - (now() % MINUTE_MS)) / 1_000),
        },
      );
  };
  return counts === 'all'
    ? async (c, next) => {
        count(c);
        await next();
      }
    : async (c, next) => {
        await next();
        if (c.res.status >= 400) count(c);
      };
}
