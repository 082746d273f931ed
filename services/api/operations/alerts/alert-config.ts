import { z } from '@hono/zod-openapi';
import { type AlertSettings, alertSettingsSchema } from '../../../../shared/alerts/settings.js';
import { type Maturity, maturities } from '../../../../shared/detection/health-metrics.js';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count } from '../../../../shared/reads/answer/figures.js';
import { readNewestHealth } from '../../../../shared/reads/health/health-sql.js';
import { isUrl } from '../../../../shared/urls/is-url.js';

/** What a website is alerted of, and how far its baselines are (spec §2.4). */

const messages: Readonly<Record<Maturity, string>> = {
  building:
    'The website’s first day of logs is being learnt. Figures are not held against a baseline yet; what needs none is alerted of.',
  warming_up:
    'Figures are held against what was learnt so far. After two weeks of logs each hour of the week is known.',
  mature: 'Each hour of the week is known, and figures are held against it.',
};
const NOTHING_YET = 'No logs have been evaluated yet: baselines begin with the first.';

export const alertConfig = standaloneAnswer({
  schema: z.object({
    config: z.object({
      ...alertSettingsSchema.shape,
      webhook_urls: z.array(z.string()).openapi({
        description:
          'Of each address its scheme and host alone: the rest may be a secret. The operator sees them whole.',
        example: ['https://hooks.example.com/…'],
      }),
    }),
    baseline_status: z.object({
      status: z.enum(maturities),
      message: z.string().openapi({ description: 'What that means, in words.' }),
      data_points: count('Intervals of five minutes that the baseline of traffic rests on.'),
      ready: z
        .boolean()
        .openapi({ description: 'Whether figures are held against baselines: not while building.' }),
    }),
  }),
  async read(reader, asked, settings: AlertSettings) {
    const { traffic } = await readNewestHealth(reader, asked.websiteId);
    const status = traffic?.maturity ?? 'building';
    return {
      config: { ...settings, webhook_urls: settings.webhook_urls.map(withoutSecrets) },
      baseline_status: {
        status,
        message: traffic === undefined ? NOTHING_YET : messages[status],
        data_points: traffic?.observations ?? 0,
        ready: status !== 'building',
      },
    };
  },
});

/** Paths, queries and user names of webhooks are what lets anybody post there. */
function withoutSecrets(address: string): string {
  return isUrl(address) ? `${new URL(address).origin}/…` : '…';
}
