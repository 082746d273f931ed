import { type HealthMetric, healthMetrics, INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { judge, learn } from '../baselines/baseline.js';
import type { Judgement } from '../baselines/judgement.js';
import type { Baseline } from '../baselines/state.js';
import { LEAST_TIMED } from '../baselines/thresholds.js';
import type { SpanCounts } from '../counts/span-counts.js';
import { type Gauge, scoreNext } from './gauge.js';

/** Judges the health metrics of an interval or a window against their baselines, and learns them. */

export interface CountedSpan {
  readonly start: number;
  readonly end: number;
  readonly counts: SpanCounts;
}

/** The counts that health metrics need. */
export type HealthCounts = Pick<
  SpanCounts,
  'requests' | 'bots' | 'crawlers' | 'status4xx' | 'notFound' | 'status5xx' | 'timed' | 'timeTakenMs'
>;

/**
 * Metrics with a baseline: those of health and, only for rules, the requests of people, whose changes
 * machines hide.
 */
export const baselineMetrics = [...healthMetrics, 'people'] as const;
export type BaselineMetric = (typeof baselineMetrics)[number];
export type Baselines = Readonly<Record<BaselineMetric, Baseline>>;
export type JudgedMetrics = Readonly<Record<BaselineMetric, Judgement>>;

/** A silence with fewer expected requests may be a quiet time. */
export const UNSURE_EXPECTED = 12;
/** A longer silence is not learned, even with few expected requests: the website was not known yet. */
const LONGEST_QUIET_MS = 288 * INTERVAL_MS;

const values: Readonly<Record<HealthMetric, (counts: HealthCounts) => number>> = {
  traffic: ({ requests }) => requests,
  errors: ({ status4xx, status5xx }) => status4xx + status5xx,
  bots: ({ bots }) => bots,
  crawlers: ({ crawlers }) => crawlers,
  not_found: ({ notFound }) => notFound,
  latency: ({ timed, timeTakenMs }) => (timed === 0 ? 0 : timeTakenMs / timed),
};

/** The value of a health metric. For latency: the average in milliseconds, 0 if no duration is known. */
export function metricValue(metric: HealthMetric, counts: HealthCounts): number {
  return values[metric](counts);
}

function pointOf(metric: BaselineMetric, { start, end, counts }: CountedSpan) {
  const value = metric === 'people' ? counts.people : metricValue(metric, counts);
  return { start, end, value, samples: metric === 'latency' ? counts.timed : value };
}

export function judgeCounts(baselines: Baselines, span: CountedSpan): JudgedMetrics {
  return Object.fromEntries(
    baselineMetrics.map((metric) => [metric, judge(baselines[metric], pointOf(metric, span))]),
  ) as JudgedMetrics;
}

/** Mutates the baselines. Critical values are excluded from learning. */
export function learnInterval(baselines: Baselines, span: CountedSpan, judged: JudgedMetrics): void {
  for (const metric of baselineMetrics) {
    learn(baselines[metric], pointOf(metric, span), judged[metric].status === 'critical');
  }
}

/** The novelty of the interval's latency (gauges/gauge.ts); 0 with too few requests. Mutates the gauge. */
export function scoreLatency(gauge: Gauge, { counts }: CountedSpan, { latency }: JudgedMetrics): number {
  return counts.timed < LEAST_TIMED ? 0 : scoreNext(gauge, latency);
}

/** Learns each interval of a quiet time that has ended as empty. Mutates the baselines. */
export function learnSilence(baselines: Baselines, start: number, end: number): void {
  if (end - start > LONGEST_QUIET_MS) return;
  for (const metric of baselineMetrics) {
    if (metric === 'latency') continue;
    for (let at = start; at < end; at += INTERVAL_MS) {
      learn(baselines[metric], { start: at, value: 0, samples: 0 }, false);
    }
  }
}
