import { chanceOfCount, RARE } from './chance.js';
import { deviationOf, round, span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';
import { type TrafficStretch, trafficStretches } from './traffic-stretch.js';

const LEAST_Z = { requests: 3.5, people: 4.5 } as const;
/** Over the usual. People vary more than all requests, to which machines lend their steadiness. */
const LEAST_TIMES = { requests: { window: 1.6, hour: 1.6 }, people: { window: 2.1, hour: 1.9 } } as const;
/** Of an hour: its newest window over the usual. */
const LEAST_TIMES_NOW = 1.3;
const LEAST_EXCESS = 60;
/** So far above that one window is enough. */
const SURE = { z: 7, times: 2 } as const;

/** Far more requests than this website has at this hour, or of people, not counting those of scrapers, scanners, impostors and new bots. */
export const trafficSpike: Rule = {
  type: 'traffic_spike',
  persistence: TWO_OF_THREE,
  inhibitedBy: [],
  find(window, website) {
    if (website.maturity === 'building') return [];
    const telling = trafficStretches(window, website).find(isSpiking);
    if (telling === undefined) return [];
    const { of, start, remainder: value, judged } = telling;
    const { mean } = judged;
    const counts = website.countsSince(start);
    const what = of === 'people' ? 'requests of people' : 'requests';
    return [
      {
        subject: '',
        severity: 'warning',
        isSure: zOf(telling) >= SURE.z && value >= SURE.times * mean,
        message: `${value} ${what} in ${span(window.end - start)}, usual at this time are ${round(mean)}.`,
        details: {
          current_value: value,
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          window_minutes: (window.end - start) / 60_000,
          people: counts.people,
          bots: counts.bots,
          busiest_addresses: counts.byClient.slice(0, 3).map(({ ip, requests }) => ({ ip, requests })),
          busiest_bots: counts.byBot.slice(0, 3).map(({ name, requests }) => ({ name, requests })),
        },
      },
    ];
  },
};

function isSpiking(stretch: TrafficStretch): boolean {
  const { of, isHour, remainder: value, newestTimes, judged } = stretch;
  const { mean } = judged;
  if (zOf(stretch) < LEAST_Z[of] || value - mean < LEAST_EXCESS) return false;
  if (value < LEAST_TIMES[of][isHour ? 'hour' : 'window'] * mean) return false;
  if (isHour && newestTimes < LEAST_TIMES_NOW) return false;
  // Of small counts z says nothing: chance alone must not make them either.
  return chanceOfCount(value, 1.2 * Math.max(1, mean)) <= RARE;
}

function zOf({ remainder, judged: { mean, std } }: TrafficStretch): number {
  return (remainder - mean) / std;
}
