import { z } from '@hono/zod-openapi';
import { MOST_SUPPRESSED } from '../../../../shared/control/aggregates/organisation-room.js';
import {
  DEFAULT_SUPPRESSION_DAYS,
  MAX_SUPPRESSION_DAYS,
} from '../../../../shared/control/aggregates/suppression.js';
import { PublicError } from '../../../../shared/errors.js';
import { websiteWrite } from '../../operation/operation.js';
import { readSeenCrawler } from '../../operation/seen-crawler.js';
import { botPath, suppression, TAG } from './suppression.js';

const NO_SUCH_BOT =
  'Bot not found: Loglane knows no bot with this name, and no request to this website has it.';

export const suppressBot = websiteWrite('post', {
  id: 'suppressBot',
  tag: TAG,
  path: '/bots/{bot_name}/suppress',
  summary: "Suppress a bot's SEO-error alerts",
  description: `Suppresses them from now on, by default for ${DEFAULT_SUPPRESSION_DAYS} days. A second call replaces the end. Requests of the bot are still counted and shown.`,
  missing: NO_SUCH_BOT,
  conflict: `The organisation has ${MOST_SUPPRESSED} suppressed bots: end some suppressions first.`,
  pathParameters: botPath,
  body: z.object({
    days: z
      .int()
      .min(1)
      .max(MAX_SUPPRESSION_DAYS)
      .optional()
      .openapi({ description: `Default ${DEFAULT_SUPPRESSION_DAYS}.`, example: 14 }),
    reason: z.string().trim().max(500).nullish().openapi({ example: 'Known outage of the old shop' }),
  }),
  bodyOptional: true,
  answer: suppression,
  async run({ bot_name, days, reason }, { website, services, write }) {
    const crawler =
      services.crawlerName(bot_name) ?? (await readSeenCrawler(services.reader, website.id, bot_name));
    if (crawler === null) throw new PublicError('not_found', NO_SUCH_BOT);
    const suppressed = await services.control.execute(
      {
        type: 'suppressBot',
        websiteId: website.id,
        crawler,
        reason: reason ?? null,
        ...(days === undefined ? {} : { days }),
      },
      write,
      `SEO-error alerts of ${crawler} suppressed for ${days ?? DEFAULT_SUPPRESSION_DAYS} days`,
    );
    return { crawler: suppressed.crawler, suppressed: true, until: suppressed.until };
  },
});
