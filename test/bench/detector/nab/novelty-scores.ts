import { HOUR_MS } from '../../../../shared/durations.js';
import type { Series } from './corpus.js';
import { newSeries, scoreNext } from './series-score.js';

/** What the baseline and the novelty scores make of a series, point by point: a point's score knows nothing of those after it. */
export function scoreNovelty({ times, values }: Series): number[] {
  const series = newSeries();
  // The sampling rate is known of a metric beforehand; the first points stand for that knowledge.
  const lasts = samplingInterval(times.slice(0, 200));
  return values.map((value, place) => scoreNext(series, { start: times[place]!, lasts, value }));
}

/** The median distance in time, at most an hour. */
export function samplingInterval(times: readonly number[]): number {
  const steps = times.slice(1).map((time, place) => time - times[place]!);
  steps.sort((a, b) => a - b);
  return Math.min(HOUR_MS, steps[steps.length >> 1] ?? HOUR_MS);
}
