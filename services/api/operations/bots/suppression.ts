import { z } from '@hono/zod-openapi';

export const TAG = 'Bots';

export const botPath = z.object({
  bot_name: z.string().trim().min(1).max(200).openapi({
    description:
      'Name of the crawler as in the answers of reads. Case is ignored for crawlers that Loglane knows.',
    example: 'Googlebot',
  }),
});

export const suppression = z
  .object({
    crawler: z.string().openapi({ example: 'Googlebot' }),
    suppressed: z.boolean(),
    until: z.iso.datetime().nullable().openapi({ description: 'null: not suppressed.' }),
  })
  .openapi('BotSuppression');
