import type { Context, MiddlewareHandler } from 'hono';
import { Counter, type Registry } from 'prom-client';
import { isSession } from '../control/api-control.js';
import {
  type Allowance,
  allowanceOf,
  type Bucket,
  hourlyLimit,
  limitReached,
  rateHeaders,
} from '../limits/rate-limit.js';
import type { ApiServices, Caller } from '../operation/operation.js';
import { knownCaller } from './authenticate.js';
import type { ApiEnv } from './env.js';

export interface LimitOptions {
  readonly services: Pick<ApiServices, 'control' | 'usage'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly registry: Registry;
}

export interface LimitedCall {
  readonly bucket: Bucket;
  /** Allowed for plans without API access too. */
  readonly allPlans?: boolean;
}

/** The hourly limits of one operation (spec §8). */
export interface Limit {
  /** Runs when the organisation is known: every later answer, also a refusal, has the rate headers. */
  readonly show: MiddlewareHandler<ApiEnv>;
  /** Runs when the call is allowed: counts it, or answers 429. Later failures count as well. */
  readonly take: MiddlewareHandler<ApiEnv>;
}

/** Made once: all operations share the counter of refused calls. */
export function limitRequests({ services, now, registry }: LimitOptions): (call: LimitedCall) => Limit {
  const { control, usage } = services;
  const refused = new Counter({
    name: 'loglane_api_refused_calls_total',
    help: 'Calls above the hourly limit of their organisation',
    labelNames: ['bucket'],
    registers: [registry],
  });

  return ({ bucket, allPlans = false }) => {
    const allowanceAt = (caller: Caller, at: number) =>
      callersAllowance({ control, usage }, caller, { bucket, allPlans }, at);

    return {
      async show(c, next) {
        setHeaders(c, allowanceAt(c.get('caller'), now()));
        await next();
      },

      async take(c, next) {
        const caller = c.get('caller');
        const at = now();
        const allowance = allowanceAt(caller, at);
        const counted = bucketOf(caller, bucket);
        if (allowance.remaining === 0) {
          refused.inc({ bucket: counted });
          throw limitReached(counted, allowance);
        }
        usage.take(caller.organisation.id, counted, at);
        setHeaders(c, { ...allowance, remaining: allowance.remaining - 1 });
        await next();
      },
    };
  };
}

function callersAllowance(
  { control, usage }: LimitOptions['services'],
  caller: Caller,
  { bucket: ofKeys, allPlans = false }: LimitedCall,
  at: number,
): Allowance {
  const { organisation } = caller;
  const bucket = bucketOf(caller, ofKeys);
  const { hourlyApiLimit } = control.plan(organisation);
  const limit = hourlyLimit(bucket, { hourlyApiLimit, allPlans: allPlans || isSession(caller) });
  return allowanceOf({ limit, used: usage.used(organisation.id, bucket, at), now: at });
}

function bucketOf(caller: Caller, bucket: Bucket): Bucket {
  return bucket === 'requests' && isSession(caller) ? 'console' : bucket;
}

/** Adds the rate headers for a known key to an answer without an operation: an unknown path or method. */
export function showToKnown(
  c: Context<ApiEnv>,
  services: Pick<ApiServices, 'control' | 'usage' | 'sessionUsed'>,
  at: number,
): void {
  const caller = knownCaller(c, services, at);
  if (caller !== null) setHeaders(c, callersAllowance(services, caller, { bucket: 'requests' }, at));
}

function setHeaders(c: Context<ApiEnv>, allowance: Allowance): void {
  for (const [name, value] of Object.entries(rateHeaders(allowance))) c.header(name, value);
}
