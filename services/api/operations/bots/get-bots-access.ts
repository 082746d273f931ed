import { z } from '@hono/zod-openapi';
import { botsAccess } from '../../../../shared/reads/bots/bot-access.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getBotsAccess = windowRead({
  id: 'getBotsAccess',
  tag: 'Traffic',
  path: '/bots/access',
  summary: 'Served and rejected requests by bot',
  description:
    'Served and rejected requests of each bot, with verified requests separate from all others. `real_crawler` summarises access for the real bot; `inverted` means that it is rejected while impostors are served. `rejected_who` names the rejected clients: `impersonators_only` means that a firewall works; `verified_only` and `both` mean that the real bot is rejected. 402 is counted separately. Most rejections first.',
  window: { defaultHours: 168 },
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 500, default: 200, description: 'Bots in the answer.' }),
  }),
  segment: true,
  answer: botsAccess,
});
