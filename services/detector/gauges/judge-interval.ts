import { type HealthMetric, healthMetrics, INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { judge, learn } from '../baselines/baseline.js';
import type { Judgement } from '../baselines/judgement.js';
import type { Baseline } from '../baselines/state.js';
import { LEAST_TIMED } from '../baselines/thresholds.js';
import type { SpanCounts } from '../counts/span-counts.js';
import { type Gauge, scoreNext } from './gauge.js';

/** The metrics of health, of an interval or a window of several: held against their baselines, and learned. */

export interface CountedSpan {
  readonly start: number;
  readonly end: number;
  readonly counts: SpanCounts;
}

/** The counts that health is told by. */
export type HealthCounts = Pick<
  SpanCounts,
  'requests' | 'bots' | 'crawlers' | 'status4xx' | 'notFound' | 'status5xx' | 'timed' | 'timeTakenMs'
>;

/** What has a baseline: the metrics of health and, for rules alone, the requests of people (machines hide how those change). */
export const baselineMetrics = [...healthMetrics, 'people'] as const;
export type BaselineMetric = (typeof baselineMetrics)[number];
export type Baselines = Readonly<Record<BaselineMetric, Baseline>>;
export type JudgedMetrics = Readonly<Record<BaselineMetric, Judgement>>;

/** A silence in which fewer requests were to be expected may be a quiet time. */
export const UNSURE_EXPECTED = 12;
/** A longer one is not learned, whatever was expected: nothing was known of the website yet. */
const LONGEST_QUIET_MS = 288 * INTERVAL_MS;

const values: Readonly<Record<HealthMetric, (counts: HealthCounts) => number>> = {
  traffic: ({ requests }) => requests,
  errors: ({ status4xx, status5xx }) => status4xx + status5xx,
  bots: ({ bots }) => bots,
  crawlers: ({ crawlers }) => crawlers,
  not_found: ({ notFound }) => notFound,
  latency: ({ timed, timeTakenMs }) => (timed === 0 ? 0 : timeTakenMs / timed),
};

/** What a metric of health says of some counts. Of latency: milliseconds on average, 0 where no time is known. */
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

/** Mutates the baselines. What is judged critical is kept out of learning. */
export function learnInterval(baselines: Baselines, span: CountedSpan, judged: JudgedMetrics): void {
  for (const metric of baselineMetrics) {
    learn(baselines[metric], pointOf(metric, span), judged[metric].status === 'critical');
  }
}

/** How new the interval's latency is (gauges/gauge.ts); 0 where too few requests tell it. Mutates the gauge. */
export function scoreLatency(gauge: Gauge, { counts }: CountedSpan, { latency }: JudgedMetrics): number {
  return counts.timed < LEAST_TIMED ? 0 : scoreNext(gauge, latency);
}

/** A quiet time that has ended: each interval of it is learned as empty. Mutates the baselines. */
export function learnSilence(baselines: Baselines, start: number, end: number): void {
  if (end - start > LONGEST_QUIET_MS) return;
  for (const metric of baselineMetrics) {
    if (metric === 'latency') continue;
    for (let at = start; at < end; at += INTERVAL_MS) {
      learn(baselines[metric], { start: at, value: 0, samples: 0 }, false);
    }
  }
}
