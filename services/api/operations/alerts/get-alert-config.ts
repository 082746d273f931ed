import { z } from '@hono/zod-openapi';
import { alertSettingsOf } from '../../../../shared/control/aggregates/alert-settings.js';
import { websiteRead } from '../../operation/operation.js';
import { alertConfig } from './alert-config.js';

export const getAlertConfig = websiteRead({
  id: 'getAlertConfig',
  tag: 'Alerts',
  path: '/alerts/config',
  summary: 'Alert settings of the website',
  description:
    'The settings, and the state of the baselines. An owner changes the settings in the console, and the operator of this installation on the server. Severities are numbers here: 1 info, 2 warning, 3 critical. Frequencies are the intervals at which a family of rules runs, in minutes. `suppressed_crawlers` and `suppressed_bots` are suppressed until somebody removes them from these lists. They do not contain bots that were suppressed through this API.',
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
