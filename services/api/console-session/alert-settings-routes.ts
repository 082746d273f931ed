import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { alertSettingsSchema } from '../../../shared/alerts/settings.js';
import { changedSettings } from '../../../shared/control/aggregates/alert-settings.js';
import { authenticate } from '../middleware/authenticate.js';
import { checkAccess, checkPlan, findWebsite } from '../middleware/check-access.js';
import type { ApiEnv } from '../middleware/env.js';
import type { Limit } from '../middleware/limit-requests.js';
import { bodyOf, MAX_BODY_BYTES, parseBody } from '../operation/input.js';
import type { ApiServices } from '../operation/operation.js';
import { onlySession } from './session-routes.js';

/**
 * Changes alert settings. The public API only reads them (spec §4.8): a key that leaks cannot switch alerts off.
 * Addresses of webhooks stay with the operator, who also makes the secret that signs their messages.
 */
const changes = alertSettingsSchema.omit({ webhook_urls: true }).partial();

/** @param limit counts each change as a write: it is a record of the control log. */
export function alertSettingsRoutes(services: ApiServices, now: () => number, limit: Limit): Hono<ApiEnv> {
  const { control } = services;
  const routes = new Hono<ApiEnv>();
  routes.patch(
    '/console/websites/:website_id/alert-settings',
    onlySession,
    authenticate(services, now),
    limit.show,
    checkPlan(control, 'starter'),
    checkAccess('read_write'),
    limit.take,
    bodyLimit({ maxSize: MAX_BODY_BYTES }),
    findWebsite(control),
    async (c) => {
      const settings = parseBody(changes, await bodyOf(c));
      const websiteId = c.get('website').id;
      const changed = changedSettings(control.state(), websiteId, settings);
      await control.execute(
        { type: 'changeAlertSettings', websiteId, ...settings },
        { caller: c.get('caller'), websiteId, idempotency: null },
        `Alert settings changed: ${changed.join(', ')}`,
      );
      return c.json({ changed });
    },
  );
  return routes;
}
