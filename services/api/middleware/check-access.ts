import type { MiddlewareHandler } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import { isSession } from '../control/api-control.js';
import type { ApiControl } from '../control/control.js';
import type { Access, Operation } from '../operation/operation.js';
import type { ApiEnv } from './env.js';

/** Checks whether the organisation's plan allows the call (spec §5 rule 7, §8). */
export function checkPlan(control: ApiControl, plans: Operation['plans']): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const caller = c.get('caller');
    const { name, hourlyApiLimit, features } = control.plan(caller.organisation);
    // The console is no API: who may see it, the operator decides by each link.
    if (plans !== 'all' && hourlyApiLimit === null && !isSession(caller)) {
      throw new PublicError('plan_without_api', `The ${name} plan has no API access; upgrade the plan.`);
    }
    if (plans === 'starter' && !features.includes('starter')) {
      throw new PublicError(
        'plan_without_api',
        `The ${name} plan does not include this; it needs Starter or above.`,
      );
    }
    await next();
  };
}

/** Checks the key's scope (spec §5.4). */
export function checkAccess(access: Access): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const caller = c.get('caller');
    if (access === 'read_write' && caller.apiKey.scope !== 'read_write') {
      throw new PublicError(
        'read_only_key',
        isSession(caller)
          ? 'This is a viewer’s session; the action needs an owner’s.'
          : 'This API key is read-only; the action needs a read_write key.',
      );
    }
    await next();
  };
}

/** Sets `website`. A website of another organisation is answered like an unknown one. */
export function findWebsite(control: ApiControl): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const website = control.website(c.get('caller').organisation.id, c.req.param('website_id') ?? '');
    if (website === null) throw new PublicError('not_found', 'Website not found.');
    c.set('website', website);
    await next();
  };
}
