import { z } from '@hono/zod-openapi';
import { healthMetrics } from '../../../../shared/detection/health-metrics.js';
import { websiteRead } from '../../operation/operation.js';
import { healthHistory, periods } from './health-history.js';

export const getHealthHistory = websiteRead({
  id: 'getHealthHistory',
  tag: 'Health',
  path: '/health/history',
  summary: 'Hourly values of a metric with its baseline',
  description:
    'Each value has the band that the detector considers normal: the baseline of that hour of the week at that time, ± 3.5 standard deviations, never below 0. For counts, the intervals of an hour and their variances are added; latency is weighted by requests. Late requests change past hours. The first hour is whole, so the series begins up to an hour before the period.',
  query: z.object({
    metric: z.enum(healthMetrics).default('traffic').openapi({
      description: 'latency: mean in milliseconds; others: requests.',
    }),
    period: z.enum(periods).default('24h').openapi({ description: 'Ends now.' }),
  }),
  answer: healthHistory.schema,
  run: (input, { website, now, services }) =>
    healthHistory.read(services.reader, { websiteId: website.id, now }, input),
});
