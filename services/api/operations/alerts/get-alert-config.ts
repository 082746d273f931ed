import { z } from '@hono/zod-openapi';
import { alertSettingsOf } from '../../../../shared/control/aggregates/alert-settings.js';
import { websiteRead } from '../../operation/operation.js';
import { alertConfig } from './alert-config.js';

export const getAlertConfig = websiteRead({
  id: 'getAlertConfig',
  tag: 'Alerts',
  path: '/alerts/config',
  summary: 'What the website is alerted of',
  description:
    'The settings, which the operator of this installation changes, and how far the baselines are. Severities are numbers here: 1 info, 2 warning, 3 critical. Frequencies: how often a family of rules looks, in minutes. `suppressed_crawlers` and `suppressed_bots` hold until they are taken off; bots that were suppressed through this API are not in them.',
  plans: 'starter',
  query: z.object({}),
  answer: alertConfig.schema,
  run: (_input, { website, now, services }) =>
    alertConfig.read(
      services.reader,
      { websiteId: website.id, now },
      alertSettingsOf(services.control.state(), website.id),
    ),
});
