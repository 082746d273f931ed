import { judge, learn, newBaseline } from '../../../../services/detector/baselines/baseline.js';
import { newGauge, scoreNext } from '../../../../services/detector/gauges/gauge.js';
import { INTERVAL_MS } from '../../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../../shared/durations.js';
import type { Series } from './corpus.js';

/** A series does not contain the number of requests. Any sufficient number works. */
const SAMPLES = 1_000;

/**
 * Scores a series like a website's latency (evaluate-website.ts): its baseline judges the measurement, the
 * gauge scores it, and the baseline learns it unless it was critical. Scores are from 0 to below 1 and use no
 * later points.
 */
export function judgeSeries({ times, values }: Series): number[] {
  const baseline = newBaseline('mean');
  const gauge = newGauge();
  // A metric's sampling rate is known beforehand; here the first points show it.
  const lasts = samplingInterval(times.slice(0, 200));
  return values.map((value, place) => {
    const start = Math.floor(times[place]! / INTERVAL_MS) * INTERVAL_MS;
    const end = start + Math.max(1, Math.round(lasts / INTERVAL_MS)) * INTERVAL_MS;
    const judged = judge(baseline, { start, end, value, samples: SAMPLES });
    const score = scoreNext(gauge, judged);
    for (let interval = start; interval < end; interval += INTERVAL_MS)
      learn(
        baseline,
        { start: interval, value: Math.max(0, value), samples: SAMPLES },
        judged.status === 'critical',
      );
    return score;
  });
}

/** The median distance in time, at most an hour. */
function samplingInterval(times: readonly number[]): number {
  const steps = times.slice(1).map((time, place) => time - times[place]!);
  steps.sort((a, b) => a - b);
  return Math.min(HOUR_MS, steps[steps.length >> 1] ?? HOUR_MS);
}
