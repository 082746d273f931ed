import { z } from '@hono/zod-openapi';
import {
  type HealthMetric,
  healthMetrics,
  INTERVAL_MINUTES,
  WARNING_Z,
} from '../../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { count, twoDigits } from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { everyBucket, isPartial } from '../../../../shared/reads/answer/time-buckets.js';
import { datedWindow, dateWindow } from '../../../../shared/reads/answer/windows.js';
import {
  type HealthHour,
  readFirstHealth,
  readHealthHours,
} from '../../../../shared/reads/health/health-sql.js';

/** Hourly values of a metric with its baseline (spec §4.9). */

const INTERVALS_OF_HOUR = HOUR_MS / (INTERVAL_MINUTES * MINUTE_MS);

export const periods = ['24h', '7d', '30d'] as const;
const periodHours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;

export interface HealthHistoryInput {
  readonly metric: HealthMetric;
  readonly period: (typeof periods)[number];
}

const band = (side: string) =>
  z
    .number()
    .nullable()
    .openapi({
      description: `${side} bound of the expected values; null if an interval of the hour has no baseline.`,
    });

export const healthHistory = standaloneAnswer({
  schema: z.object({
    metric: z.enum(healthMetrics),
    period: z.enum(periods),
    unit: z.enum(['requests', 'ms']),
    ...datedWindow,
    series: z
      .array(
        z.object({
          time: instant.openapi({ description: 'Start of the hour.' }),
          value: z.number().nullable().openapi({
            description:
              'Requests, or for latency the mean over requests with a known time; null if the hour has no data.',
          }),
          lower: band('Lower'),
          upper: band('Upper'),
          intervals: count(
            `Intervals of ${INTERVAL_MINUTES} minutes with data, of ${INTERVALS_OF_HOUR} in the hour. Value and band cover only these.`,
          ),
          partial: z.boolean().openapi({ description: 'The hour is still running.' }),
        }),
      )
      .openapi({ description: 'Every hour of the window, oldest first.' }),
    missing_intervals: count(
      'Gaps: intervals without data in the finished hours, since the website’s first interval with data.',
    ),
  }),
  async read(reader, { websiteId, now }, { metric, period }: HealthHistoryInput) {
    const start = Math.floor((now - periodHours[period] * HOUR_MS) / HOUR_MS) * HOUR_MS;
    const window = { start, end: now };
    const hours = await readHealthHours(reader, { websiteId, metric, start });
    const series = everyBucket(window, 'hour', hours, (time, hour) => ({
      time: toInstant(time),
      ...(metric === 'latency' ? averageOf(hour) : sumOf(hour)),
      intervals: hour?.intervals ?? 0,
      partial: isPartial(window, 'hour', time),
    }));
    const [since, dated] = await Promise.all([
      readFirstHealth(reader, { websiteId, metric }),
      dateWindow(reader, { websiteId, window }),
    ]);
    return {
      metric,
      period,
      unit: metric === 'latency' ? ('ms' as const) : ('requests' as const),
      ...dated.fields,
      series,
      missing_intervals: since === null ? 0 : missingOf(series, since),
    };
  },
});

/** @param since start of the first interval with data, in milliseconds since the epoch. */
function missingOf(
  series: readonly { readonly time: string; readonly intervals: number; readonly partial: boolean }[],
  since: number,
): number {
  let missing = 0;
  for (const { time, intervals, partial } of series) {
    const start = Date.parse(time);
    const before = Math.max(0, since - start) / (INTERVAL_MINUTES * MINUTE_MS);
    if (!partial) missing += Math.max(0, INTERVALS_OF_HOUR - before - intervals);
  }
  return missing;
}

const unknown = { value: null, lower: null, upper: null };

/** Counts of intervals are added. Adding their variances assumes that they vary independently. */
function sumOf(hour: HealthHour | undefined) {
  if (hour === undefined) return unknown;
  return { value: twoDigits(hour.value), ...bandOf(hour, hour.mean, hour.variance) };
}

function averageOf(hour: HealthHour | undefined) {
  if (hour === undefined || hour.timed === 0) return unknown;
  const { timed, timed_value, timed_mean, timed_variance } = hour;
  return {
    value: twoDigits(timed_value / timed),
    ...bandOf(hour, timed_mean / timed, timed_variance / timed ** 2),
  };
}

function bandOf({ unjudged }: HealthHour, mean: number, variance: number) {
  if (unjudged > 0) return { lower: null, upper: null };
  const half = WARNING_Z * Math.sqrt(variance);
  return { lower: twoDigits(Math.max(0, mean - half)), upper: twoDigits(mean + half) };
}
