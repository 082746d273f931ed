import { MINUTE_MS } from '../../../shared/durations.js';
import { busiestOf } from './busiest.js';
import { chanceOfCount, RARE } from './chance.js';
import { deviationOf, round, span } from './figures.js';
import { AT_ONCE, type Rule, type WebsiteView } from './rule.js';
import { rootDeviations, type TrafficStretch, trafficStretches } from './traffic-stretch.js';

const LEAST_Z = 4;
/** Factor of the usual. People vary more than all requests, which machines make steady. */
const LEAST_TIMES = { requests: 1.6, people: 1.8 } as const;
/** Factor of the usual in the newest window. */
const LEAST_TIMES_NOW = 1.3;
const LEAST_EXCESS = 60;
/** A spike this large need not last. */
const SURE = { z: 5.5, times: 2.2 } as const;

/** Share of people in the excess, below which machines make the spike: declared bots, and programs. */
const MOST_OF_MACHINES = 0.5;
/**
 * Crawlers come in bouts, also at quiet hours, and often make one request a second. Less than that slows no
 * website.
 */
const LEAST_OF_MACHINES_A_MINUTE = 60;

/**
 * Far more requests than usual at this hour, in all or of people. Excluded are scrapers, scanners, impostors,
 * new bots, and addresses whose requests mostly fail.
 */
export const trafficSpike: Rule = {
  type: 'traffic_spike',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find(window, website) {
    if (website.maturity === 'building') return [];
    const telling = trafficStretches(window, website)
      .filter(isSpiking)
      .find((stretch) => isBeyondBouts(stretch, window.end - stretch.start, website));
    if (telling === undefined) return [];
    const { of, start, remainder: value, mean } = telling;
    const what = of === 'people' ? 'requests of people' : 'requests';
    const minutes = (window.end - start) / MINUTE_MS;
    return [
      {
        subject: '',
        severity: 'warning',
        message: `${value} ${what} in ${span(window.end - start)}, usual at this time are ${round(mean)}.`,
        details: {
          of,
          current_value: value,
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          window_minutes: minutes,
        },
        since: start,
        evidence: { since: start, show: (counts) => ({ details: busiestOf(counts, minutes) }) },
      },
    ];
  },
};

function isSpiking({ of, isLasting, newestTimes, served, ...usual }: TrafficStretch): boolean {
  const mean = usual.mean * usual.busyDay;
  if (served - mean < LEAST_EXCESS || newestTimes < LEAST_TIMES_NOW) return false;
  // For small counts z means nothing, and chance must be excluded too.
  if (chanceOfCount(served, 1.2 * Math.max(1, mean)) > RARE) return false;
  const z = rootDeviations(served, mean, usual.spread);
  if (z >= SURE.z && served >= SURE.times * mean) return true;
  return isLasting && z >= LEAST_Z && served >= LEAST_TIMES[of] * mean;
}

/**
 * Whether it is more than a bout of crawlers that the website serves easily. A spike of machines must exceed
 * the rate of the busiest usual hour.
 */
function isBeyondBouts(
  { of, served, mean, excessOfPeople }: TrafficStretch,
  lengthMs: number,
  { busiestHour }: WebsiteView,
): boolean {
  if (of === 'people' || excessOfPeople >= MOST_OF_MACHINES * (served - mean)) return true;
  const perMinute = served / (lengthMs / MINUTE_MS);
  return perMinute >= Math.max(LEAST_OF_MACHINES_A_MINUTE, busiestHour / 60);
}
