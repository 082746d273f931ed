import { z } from '@hono/zod-openapi';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { unknownBots } from './unknown-bots.js';

export const getUnknownBots = windowRead({
  id: 'getUnknownBots',
  tag: 'Traffic',
  path: '/bots/unknown',
  summary: 'Bots that say so and that no table knows',
  description:
    'An inbox: bots whose user agents say that they are bots and that the table of crawlers does not list, by the name that they give themselves, with what it takes to find out whose they are. They are among `bots` too. Agents that do not say so are in no list: `undeclared_agent_requests` of `summary`, `traffic` and others counts them.',
  window: { defaultHours: 168 },
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 100, default: 25, description: 'Bots in the answer.' }),
  }),
  segment: false,
  answer: unknownBots,
});
