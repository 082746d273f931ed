import { deviationOf, round, span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';
import { type TrafficStretch, trafficStretches } from './traffic-stretch.js';

/** In standard deviations of the logarithm: traffic varies by factors, and linearly nothing lies far below what varies by a fifth. */
const LEAST_Z = { requests: -3.5, people: -4 } as const;
/**
 * What is left of the usual, at most. People vary more than all requests, to which machines lend their steadiness: on a holiday
 * three quarters of them come, and in its quietest hour half.
 */
const MOST_LEFT = { requests: { window: 0.5, hour: 0.55 }, people: { window: 0.35, hour: 0.42 } } as const;
/** Of an hour: what is left in its newest window, at most. */
const MOST_LEFT_NOW = 0.7;
/** People come in visits of several requests: what few of them bring is soon a third by chance. */
const LEAST_USUAL = { requests: 60, people: 150 } as const;
const SURE = { z: -6, left: 0.4 } as const;

/** Far fewer requests than at this hour as a rule, or of people, while logs are delivered. Where none come at all it is log_silence. */
export const trafficDrop: Rule = {
  type: 'traffic_drop',
  persistence: TWO_OF_THREE,
  inhibitedBy: ['log_silence', 'error_spike_5xx'],
  find(window, website) {
    if (website.maturity === 'building') return [];
    const telling = trafficStretches(window, website).find(isDropped);
    if (telling === undefined) return [];
    const { of, start, judged } = telling;
    const { value, mean } = judged;
    const counts = website.countsSince(start);
    const what = of === 'people' ? 'requests of people' : 'requests';
    return [
      {
        subject: '',
        severity: 'warning',
        isSure: logZ(telling) <= SURE.z && value <= SURE.left * mean,
        message: `Only ${value} ${what} in ${span(window.end - start)}, usual at this time are ${round(mean)}.`,
        details: {
          current_value: value,
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          window_minutes: (window.end - start) / 60_000,
          people: counts.people,
          bots: counts.bots,
        },
      },
    ];
  },
};

function isDropped(stretch: TrafficStretch): boolean {
  const { of, isDelivered, isHour, newestTimes, judged } = stretch;
  const { value, mean } = judged;
  if (!isDelivered || mean < LEAST_USUAL[of] || logZ(stretch) > LEAST_Z[of]) return false;
  if (isHour && newestTimes > MOST_LEFT_NOW) return false;
  return value <= MOST_LEFT[of][isHour ? 'hour' : 'window'] * mean;
}

function logZ({ judged: { value, mean, std } }: TrafficStretch): number {
  return (Math.log(Math.max(1, value) / mean) * mean) / std;
}
