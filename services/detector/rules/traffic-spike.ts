import { chanceOfCount, RARE } from './chance.js';
import { deviationOf, round, span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

const LEAST_Z = 3.5;
const LEAST_TIMES = 1.6;
const LEAST_EXCESS = 60;
/** So far above that one window is enough. */
const SURE = { z: 7, times: 2 } as const;

/** Far more requests than this website has at this hour, not counting those of scrapers, scanners, impostors and new bots. */
export const trafficSpike: Rule = {
  type: 'traffic_spike',
  persistence: TWO_OF_THREE,
  inhibitedBy: [],
  find(window, { hour, maturity }) {
    if (maturity === 'building') return [];
    const usesHour = window.judged.traffic.mean < LEAST_EXCESS;
    const judged = usesHour ? hour.traffic : window.judged.traffic;
    const value = (usesHour ? hour.remainder : window.remainder).requests;
    const start = usesHour ? hour.start : window.start;
    const { mean, std, status } = judged;
    if (status === 'insufficient_data' || std <= 0) return [];
    const z = (value - mean) / std;
    if (z < LEAST_Z || value < LEAST_TIMES * mean || value - mean < LEAST_EXCESS) return [];
    // Of small counts z says nothing: chance alone must not make them either.
    if (chanceOfCount(value, 1.2 * Math.max(1, mean)) > RARE) return [];
    const length = span(window.end - start);
    return [
      {
        subject: '',
        severity: 'warning',
        isSure: z >= SURE.z && value >= SURE.times * mean,
        message: `${value} requests in ${length}, usual at this time are ${round(mean)}.`,
        details: {
          current_value: value,
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          window_minutes: (window.end - start) / 60_000,
          people: window.counts.people,
          bots: window.counts.bots,
          busiest_addresses: window.counts.byClient.slice(0, 3).map(({ ip, requests }) => ({ ip, requests })),
          busiest_bots: window.counts.byBot.slice(0, 3).map(({ name, requests }) => ({ name, requests })),
        },
      },
    ];
  },
};
