import { z } from 'zod';
import { healthMetrics, healthStatuses, maturities } from '../detection/health-metrics.js';

/** What is read of a point, by `healthColumns`. */
export const healthRow = z.object({
  metric: z.enum(healthMetrics),
  start_s: z.number(),
  value: z.number(),
  mean: z.number(),
  std: z.number(),
  z: z.number(),
  status: z.enum(healthStatuses),
  timed: z.number(),
  maturity: z.enum(maturities),
  observations: z.number(),
});

export const healthColumns =
  'metric, toUnixTimestamp(start) AS start_s, value, mean, std, z, status, timed, maturity, observations';
