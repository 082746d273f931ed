import type { MiddlewareHandler } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import type { ApiControl } from '../api-control.js';
import type { ApiEnv } from './env.js';

/** The Free plan has no API access (spec §5.7). */
export function checkPlan(control: ApiControl): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const plan = control.plan(c.get('caller').organisation);
    if (!plan.apiAccess) {
      throw new PublicError('plan_without_api', `The ${plan.name} plan has no API access; upgrade the plan.`);
    }
    await next();
  };
}

/** Writes need a read_write key (spec §5.4). */
export const checkWriteScope: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.get('caller').apiKey.scope !== 'read_write') {
    throw new PublicError('read_only_key', 'This API key is read-only; the action needs a read_write key.');
  }
  await next();
};

/** Sets `website`. Another organisation's website answers as one that does not exist. */
export function findWebsite(control: ApiControl): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const website = control.website(c.get('caller').organisation.id, c.req.param('website_id') ?? '');
    if (website === null) throw new PublicError('not_found', 'Website not found.');
    c.set('website', website);
    await next();
  };
}
