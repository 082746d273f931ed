import { z } from '@hono/zod-openapi';
import { healthMetrics } from '../../../../shared/detection/health-metrics.js';
import { websiteRead } from '../../operation/operation.js';
import { healthHistory, periods } from './health-history.js';

export const getHealthHistory = websiteRead({
  id: 'getHealthHistory',
  tag: 'Health',
  path: '/health/history',
  summary: 'A metric hour by hour, with what is usual',
  description:
    'Beside each value the band in which the detector calls it normal: what was to be expected at that hour of the week, as it was known then, and 3.5 standard deviations to either side, never below 0. Of counts the intervals of an hour add up, and so do their variances; latency is weighted by requests. Late requests change hours that are over. The first hour is whole: the series begins up to an hour before the period.',
  query: z.object({
    metric: z.enum(healthMetrics).default('traffic').openapi({
      description: 'latency is a mean in milliseconds; the others count requests.',
    }),
    period: z.enum(periods).default('24h').openapi({ description: 'Ends now.' }),
  }),
  answer: healthHistory.schema,
  run: (input, { website, now, services }) =>
    healthHistory.read(services.reader, { websiteId: website.id, now }, input),
});
