import type { Context, MiddlewareHandler } from 'hono';
import { Counter, type Registry } from 'prom-client';
import {
  type Allowance,
  allowanceOf,
  type Bucket,
  hourlyLimit,
  limitReached,
  rateHeaders,
} from '../limits/rate-limit.js';
import type { ApiServices, Caller } from '../operation.js';
import type { ApiEnv } from './env.js';

export interface LimitOptions {
  readonly services: Pick<ApiServices, 'control' | 'usage'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly registry: Registry;
}

export interface LimitedCall {
  readonly bucket: Bucket;
  /** Open to plans without API access too. */
  readonly allPlans?: boolean;
}

/** What one operation does about the hourly limits (spec §8). */
export interface Limit {
  /** As soon as the organisation is known: from here on every answer, refusals too, says where it stands. */
  readonly show: MiddlewareHandler<ApiEnv>;
  /** When the call may be made at all: counts it, or answers 429. What goes wrong after this has counted. */
  readonly take: MiddlewareHandler<ApiEnv>;
}

/** Made once for all operations: they share the counter of refused calls. */
export function limitRequests({ services, now, registry }: LimitOptions): (call: LimitedCall) => Limit {
  const { control, usage } = services;
  const refused = new Counter({
    name: 'loglane_api_refused_calls_total',
    help: 'Calls beyond the hourly limit of their organisation',
    labelNames: ['bucket'],
    registers: [registry],
  });

  return ({ bucket, allPlans = false }) => {
    const standing = ({ organisation }: Caller, at: number): Allowance => {
      const { hourlyApiLimit } = control.plan(organisation);
      const limit = hourlyLimit(bucket, { hourlyApiLimit, allPlans });
      return allowanceOf({ limit, used: usage.used(organisation.id, bucket, at), now: at });
    };

    return {
      async show(c, next) {
        setHeaders(c, standing(c.get('caller'), now()));
        await next();
      },

      async take(c, next) {
        const caller = c.get('caller');
        const at = now();
        const allowance = standing(caller, at);
        if (allowance.remaining === 0) {
          refused.inc({ bucket });
          throw limitReached(bucket, allowance);
        }
        usage.take(caller.organisation.id, bucket, at);
        setHeaders(c, { ...allowance, remaining: allowance.remaining - 1 });
        await next();
      },
    };
  };
}

function setHeaders(c: Context<ApiEnv>, allowance: Allowance): void {
  for (const [name, value] of Object.entries(rateHeaders(allowance))) c.header(name, value);
}
