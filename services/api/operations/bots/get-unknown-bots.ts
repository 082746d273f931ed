import { z } from '@hono/zod-openapi';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { unknownBots } from './unknown-bots.js';

export const getUnknownBots = windowRead({
  id: 'getUnknownBots',
  tag: 'Traffic',
  path: '/bots/unknown',
  summary: 'Declared bots that are not in the crawler table',
  description:
    'Bots whose user agents declare a bot that the crawler table does not list, by their own name, with facts that help to identify the operator. `bots` contains them too. Agents that do not declare themselves are not listed: `undeclared_agent_requests` of `summary`, `traffic` and others counts them.',
  window: { defaultHours: 168 },
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 100, default: 25, description: 'Bots in the answer.' }),
  }),
  segment: false,
  answer: unknownBots,
});
