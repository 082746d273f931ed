import { z } from '@hono/zod-openapi';
import { type AlertSettings, alertSettingsSchema } from '../../../../shared/alerts/settings.js';
import { type Maturity, maturities } from '../../../../shared/detection/health-metrics.js';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count } from '../../../../shared/reads/answer/figures.js';
import { readNewestHealth } from '../../../../shared/reads/health/health-sql.js';
import { isUrl } from '../../../../shared/urls/is-url.js';

/** The alert settings of a website, and the state of its baselines (spec §2.4). */

const messages: Readonly<Record<Maturity, string>> = {
  building: 'The baseline is learnt from the first day of logs. Only rules without a baseline alert.',
  warming_up:
    'Figures are compared with the baseline learnt so far. After two weeks of logs it covers each hour of the week.',
  mature: 'The baseline covers each hour of the week, and figures are compared with it.',
};
const NOTHING_YET = 'No logs have been evaluated yet. Baselines begin with the first logs.';

export const alertConfig = standaloneAnswer({
  schema: z.object({
    config: z.object({
      ...alertSettingsSchema.shape,
      webhook_urls: z.array(z.string()).openapi({
        description:
          'Scheme and host of each address, because the rest may be a secret. Only the operator sees the whole address.',
        example: ['https://hooks.example.com/…'],
      }),
    }),
    baseline_status: z.object({
      status: z.enum(maturities),
      message: z.string().openapi({ description: 'Explanation of the state.' }),
      data_points: count('Intervals of five minutes in the traffic baseline.'),
      ready: z
        .boolean()
        .openapi({ description: 'Whether figures are compared with baselines; false while building.' }),
    }),
  }),
  async read(reader, question, settings: AlertSettings) {
    const { traffic } = await readNewestHealth(reader, question.websiteId);
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

/** Removes paths, queries and user names of webhooks: anyone who knows them can post there. */
function withoutSecrets(address: string): string {
  return isUrl(address) ? `${new URL(address).origin}/…` : '…';
}
