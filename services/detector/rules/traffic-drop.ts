import { deviationOf, round, span } from './figures.js';
import { AT_ONCE, type Rule } from './rule.js';
import { rootDeviations, type TrafficStretch, trafficStretches } from './traffic-stretch.js';

const LEAST_Z = -3.6;
/** Greatest remaining share of the usual. People vary more than all requests, which machines make steady. */
const MOST_LEFT = { requests: 0.55, people: 0.4 } as const;
/** Greatest remaining share in the newest window. */
const MOST_LEFT_NOW = 0.7;
/** People come in visits of several requests: a few visits can drop to a third by chance. */
const LEAST_USUAL = { requests: 60, people: 90 } as const;
/** A drop this large need not last. */
const SURE = { z: -5, left: 0.4 } as const;

/**
 * Far fewer requests than usual at this hour, in all or of people, while logs are delivered. No requests at
 * all are log_silence.
 */
export const trafficDrop: Rule = {
  type: 'traffic_drop',
  persistence: AT_ONCE,
  inhibitedBy: ['log_silence', 'error_spike_5xx'],
  find(window, website) {
    if (website.maturity === 'building') return [];
    const telling = trafficStretches(window, website).find(isDropped);
    if (telling === undefined) return [];
    const { of, start, value, mean } = telling;
    const what = of === 'people' ? 'requests of people' : 'requests';
    return [
      {
        subject: '',
        severity: 'warning',
        message: `Only ${value} ${what} in ${span(window.end - start)}, usual at this time are ${round(mean)}.`,
        details: {
          of,
          current_value: value,
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          window_minutes: (window.end - start) / 60_000,
        },
        evidence: { since: start, show: ({ people, bots }) => ({ details: { people, bots } }) },
      },
    ];
  },
};

function isDropped({ of, isLasting, isDelivered, newestTimes, value, ...usual }: TrafficStretch): boolean {
  const mean = usual.mean * usual.quietDay;
  if (!isDelivered || mean < LEAST_USUAL[of] || newestTimes > MOST_LEFT_NOW) return false;
  const z = rootDeviations(value, mean, usual.spread);
  if (z <= SURE.z && value <= SURE.left * mean) return true;
  return isLasting && z <= LEAST_Z && value <= MOST_LEFT[of] * mean;
}
