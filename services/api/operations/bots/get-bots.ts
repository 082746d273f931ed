import { z } from '@hono/zod-openapi';
import { bots } from '../../../../shared/reads/bots/bots.js';
import { booleanParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getBots = windowRead({
  id: 'getBots',
  tag: 'Traffic',
  path: '/bots',
  summary: 'Bots and their verification',
  description:
    'Requests whose user agent claims to be a bot, by bot, most requests first. Claims are verified with the published address ranges and DNS of the operators. A false claim is counted under the claimed name, as `spoofed_requests`. If neither method decides, the verdict of the website’s CDN counts (`cdn_verified_requests`). Bots outside the crawler table are listed too; `bots/unknown` has more about them. Agents that claim no bot are not listed: `undeclared_agent_requests` counts them.',
  window: { clamp: true },
  parameters: z.object({
    split_variants: booleanParameter(
      'true, 1 or yes: separate rows for the smartphone and desktop variants of the main search crawlers.',
    ),
  }),
  segment: true,
  answer: bots,
});
