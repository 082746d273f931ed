import { judge, learn, newBaseline } from '../../../../services/detector/baselines/baseline.js';
import { INTERVAL_MS } from '../../../../services/detector/baselines/hours.js';
import type { Series } from './corpus.js';
import { samplingInterval } from './novelty-scores.js';
import { isPeak, SAMPLES } from './series-score.js';

/**
 * What the detector's own judge, which alerts and health rest on, makes of a series: the distance from what its baseline expects, on
 * either side, and learning as in production (what is critical is kept out). A thing is said once, as a repeat joins its alert.
 * Scores from 0 to below 1.
 */
export function judgeSeries({ times, values }: Series): number[] {
  const baseline = newBaseline('mean');
  const lasts = samplingInterval(times.slice(0, 200));
  const said: { peaks: [number, number][]; count: number } = { peaks: [], count: 0 };
  return values.map((given, place) => {
    const start = Math.floor(times[place]! / INTERVAL_MS) * INTERVAL_MS;
    const end = start + Math.max(1, Math.round(lasts / INTERVAL_MS)) * INTERVAL_MS;
    const value = Math.max(0, given);
    const { z, status } = judge(baseline, { start, end, value, samples: SAMPLES });
    for (let interval = start; interval < end; interval += INTERVAL_MS)
      learn(baseline, { start: interval, value, samples: SAMPLES }, status === 'critical');
    said.count += 1;
    return isPeak(said, Math.abs(z)) ? Math.abs(z) / (Math.abs(z) + 1) : 0;
  });
}
