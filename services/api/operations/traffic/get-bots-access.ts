import { z } from '@hono/zod-openapi';
import { botsAccess } from '../../../../shared/answers/bot-access.js';
import { integerParameter } from '../../parameters.js';
import { windowRead } from '../window-read.js';

export const getBotsAccess = windowRead({
  id: 'getBotsAccess',
  tag: 'Traffic',
  path: '/bots/access',
  summary: 'Which bots are let in and which are turned away',
  description:
    'For each bot how often it was served and how often turned away, and whether that met the bot itself or impersonators: rejecting `impersonators_only` is a firewall at work, `verified_only` and `both` mean that the real bot is kept out. Most rejections first.',
  window: { defaultHours: 168 },
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 500, default: 200, description: 'Bots in the answer.' }),
  }),
  segment: true,
  answer: botsAccess,
});
