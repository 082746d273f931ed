import { z } from '@hono/zod-openapi';
import { severities } from '../../alerts/alert.js';
import {
  type HealthMetric,
  healthMetrics,
  healthStatuses,
  INTERVAL_MINUTES,
  maturities,
} from '../../detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../durations.js';
import { alertType } from '../alerts/alert-answer.js';
import { readActiveAlerts } from '../alerts/alerts-sql.js';
import { standaloneAnswer } from '../answer/answer.js';
import { count, percentOf, twoDigits } from '../answer/figures.js';
import { instant, moment, toInstant } from '../answer/instant.js';
import type { StoredHealthPoint } from './health-points.js';
import { readNewestHealth } from './health-sql.js';
import { isReceiving, readReceipts } from './setup.js';

/** The current health of a website (spec §4.9). */

/**
 * The detector also evaluates silent websites. So an interval older than this means that the detector is not running, and is not shown as
 * current.
 */
const STALE_MS = HOUR_MS;

const MOST_ACTIVE = 100;

const figure = (description: string) => z.number().nullable().openapi({ description });

const metricHealth = z.object({
  current: figure('In the interval; null if no interval was evaluated in the last hour, or without a value.'),
  baseline_mean: figure('Expected value; null until the baseline is complete.'),
  baseline_std: figure('Standard deviation of the baseline, in the same unit.'),
  z_score: figure('(current - baseline_mean) / baseline_std; null if the status is insufficient_data.'),
  status: z.enum(healthStatuses).openapi({
    description: 'insufficient_data: the baseline or the number of requests is too small to decide.',
  }),
});

const metrics = z.object({
  traffic: metricHealth.openapi({ description: 'Requests.' }),
  errors: metricHealth
    .extend({ current_rate: figure('Percentage of the requests of the interval; null without requests.') })
    .openapi({ description: 'Requests answered 4xx or 5xx.' }),
  bots: metricHealth.openapi({ description: 'Requests that are not from people.' }),
  crawlers: metricHealth.openapi({
    description: 'Requests of search crawlers, except proven impostors.',
  }),
  not_found: metricHealth.openapi({ description: 'Requests answered 404.' }),
  latency: metricHealth
    .extend({ unit: z.literal('ms') })
    .openapi({ description: 'Mean response time of the server, over requests whose source reports it.' }),
});

export const health = standaloneAnswer({
  schema: z.object({
    metrics,
    data_flowing: z.boolean().openapi({ description: 'Whether a request was received within 24 hours.' }),
    last_received_at: moment('null: never.'),
    baseline_maturity: z
      .object({
        status: z.enum(maturities),
        observations: count('Intervals in the baseline.'),
      })
      .openapi({ description: 'Status of the baseline of traffic.' }),
    evaluation_window_minutes: z
      .literal(INTERVAL_MINUTES)
      .openapi({ type: 'integer', description: 'Length of the interval.' }),
    evaluated_at: moment('End of the newest evaluated interval; null: none in the last hour.'),
    active_alerts: z
      .array(
        z.object({
          alert_id: z.string(),
          alert_type: alertType,
          severity: z.enum(severities),
          created_at: instant,
        }),
      )
      .openapi({
        description: `Alerts found within the last 2 hours (24 for nightly checks), most severe first, then newest; at most ${MOST_ACTIVE}. Suppression of a bot does not extend the time of its alerts.`,
      }),
  }),
  async read(reader, { websiteId, now }) {
    const newest = await readNewestHealth(reader, websiteId);
    const { lastReceived } = await readReceipts(reader, { websiteId, now });
    const active = await readActiveAlerts(reader, websiteId, { now, limit: MOST_ACTIVE });
    const isSilent = active.some(
      ({ type, lastSeen }) => type === 'log_silence' && lastSeen >= (newest.traffic?.start ?? now),
    );
    const traffic = freshOf(newest.traffic, now);
    const errors = freshOf(newest.errors, now);
    const metricFields = Object.fromEntries(
      healthMetrics.map((metric) => [metric, toMetricHealth(metric, freshOf(newest[metric], now))]),
    ) as Record<HealthMetric, z.input<typeof metricHealth>>;
    return {
      metrics: {
        ...metricFields,
        // A single empty interval may be chance; a reported silence is not.
        traffic:
          isSilent && traffic?.value === 0
            ? { ...metricFields.traffic, status: 'critical' as const }
            : metricFields.traffic,
        errors: { ...metricFields.errors, current_rate: rateOf(errors, traffic) },
        latency: { ...metricFields.latency, unit: 'ms' as const },
      },
      data_flowing: isReceiving(lastReceived, now),
      last_received_at: lastReceived === null ? null : toInstant(lastReceived),
      baseline_maturity: {
        status: newest.traffic?.maturity ?? ('building' as const),
        observations: newest.traffic?.observations ?? 0,
      },
      evaluation_window_minutes: INTERVAL_MINUTES as typeof INTERVAL_MINUTES,
      evaluated_at: traffic === undefined ? null : toInstant(traffic.start + INTERVAL_MINUTES * MINUTE_MS),
      active_alerts: active.map(({ alertId, type, severity, createdAt }) => ({
        alert_id: alertId,
        alert_type: type,
        severity,
        created_at: toInstant(createdAt),
      })),
    };
  },
});

function freshOf(point: StoredHealthPoint | undefined, now: number): StoredHealthPoint | undefined {
  return point !== undefined && now - point.start <= STALE_MS ? point : undefined;
}

function toMetricHealth(
  metric: HealthMetric,
  point: StoredHealthPoint | undefined,
): z.input<typeof metricHealth> {
  if (point === undefined)
    return {
      current: null,
      baseline_mean: null,
      baseline_std: null,
      z_score: null,
      status: 'insufficient_data',
    };
  const { value, mean, std, z, status, timed, maturity } = point;
  const hasBaseline = maturity !== 'building';
  return {
    current: metric === 'latency' && timed === 0 ? null : twoDigits(value),
    baseline_mean: hasBaseline ? twoDigits(mean) : null,
    baseline_std: hasBaseline ? twoDigits(std) : null,
    z_score: status === 'insufficient_data' ? null : twoDigits(z),
    status,
  };
}

/** Both figures are from one interval: the newest ones can differ while an interval is being written. */
function rateOf(
  errors: StoredHealthPoint | undefined,
  traffic: StoredHealthPoint | undefined,
): number | null {
  if (errors === undefined || traffic === undefined || errors.start !== traffic.start) return null;
  return traffic.value === 0 ? null : percentOf(errors.value, traffic.value);
}
