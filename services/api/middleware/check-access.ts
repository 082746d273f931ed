import type { MiddlewareHandler } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import type { ApiControl } from '../control/control.js';
import type { Access, Operation } from '../operation/operation.js';
import type { ApiEnv } from './env.js';

/** Whether the organisation's plan lets it call this (spec §5 rule 7, §8). */
export function checkPlan(control: ApiControl, plans: Operation['plans']): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { name, hourlyApiLimit, features } = control.plan(c.get('caller').organisation);
    if (plans !== 'all' && hourlyApiLimit === null) {
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

/** Whether the key's scope is enough (spec §5.4). */
export function checkAccess(access: Access): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (access === 'read_write' && c.get('caller').apiKey.scope !== 'read_write') {
      throw new PublicError('read_only_key', 'This API key is read-only; the action needs a read_write key.');
    }
    await next();
  };
}

/** Sets `website`. Another organisation's website answers as one that does not exist. */
export function findWebsite(control: ApiControl): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const website = control.website(c.get('caller').organisation.id, c.req.param('website_id') ?? '');
    if (website === null) throw new PublicError('not_found', 'Website not found.');
    c.set('website', website);
    await next();
  };
}
