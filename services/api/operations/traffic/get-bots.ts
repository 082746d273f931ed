import { z } from '@hono/zod-openapi';
import { bots } from '../../../../shared/reads/bots/bots.js';
import { booleanParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getBots = windowRead({
  id: 'getBots',
  tag: 'Traffic',
  path: '/bots',
  summary: 'Bots and whether they are who they say',
  description:
    'Every request whose user agent claims to be a bot, by bot, most requests first, with how the claims stood against the published address ranges and DNS of the operators. A name that fails is counted under the name it claims, as `spoofed_requests`. Where neither decides, the verdict of the CDN before the website counts (`cdn_verified_requests`). Bots that the table of crawlers does not list are here too; `bots/unknown` says more of them. Agents that claim no bot are not in the list: `undeclared_agent_requests` counts them.',
  window: { clamp: true },
  parameters: z.object({
    split_variants: booleanParameter(
      'true, 1 or yes: the smartphone and desktop variants of the main search crawlers as rows of their own.',
    ),
  }),
  segment: true,
  answer: bots,
});
