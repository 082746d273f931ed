import { z } from '@hono/zod-openapi';
import { botsAccess } from '../../../../shared/reads/bots/bot-access.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getBotsAccess = windowRead({
  id: 'getBotsAccess',
  tag: 'Traffic',
  path: '/bots/access',
  summary: 'Which bots are let in and which are turned away',
  description:
    'For each bot how often it was served and how often turned away, the requests proved to be its own apart from all others. `real_crawler` says in one word how the real bot fares; `inverted` means that it is shut out while impostors get in. `rejected_who` says whom rejections met: `impersonators_only` is a firewall at work, `verified_only` and `both` mean that the real bot is kept out. 402 is counted apart. Most rejections first.',
  window: { defaultHours: 168 },
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 500, default: 200, description: 'Bots in the answer.' }),
  }),
  segment: true,
  answer: botsAccess,
});
