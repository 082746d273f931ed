import { deviationOf, round, span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

/** In standard deviations of the logarithm: traffic varies by factors, and linearly nothing lies far below what varies by a fifth. */
const LEAST_Z = -3.5;
/** What is left of the usual, at most. */
const MOST_LEFT = 0.5;
const LEAST_USUAL = 60;
const SURE = { z: -6, left: 0.4 } as const;

/** Far fewer requests than at this hour as a rule, while logs are delivered. Where none come at all it is log_silence. */
export const trafficDrop: Rule = {
  type: 'traffic_drop',
  persistence: TWO_OF_THREE,
  inhibitedBy: ['log_silence', 'error_spike_5xx'],
  find(window, { hour, maturity }) {
    if (maturity === 'building') return [];
    const usesHour = window.judged.traffic.mean < LEAST_USUAL;
    const judged = usesHour ? hour.traffic : window.judged.traffic;
    const isDelivered = usesHour ? hour.isDelivered : window.isDelivered;
    const start = usesHour ? hour.start : window.start;
    const { value, mean, std, status } = judged;
    if (!isDelivered || status === 'insufficient_data' || std <= 0 || mean < LEAST_USUAL) return [];
    const z = (Math.log(Math.max(1, value) / mean) * mean) / std;
    if (z > LEAST_Z || value > MOST_LEFT * mean) return [];
    return [
      {
        subject: '',
        severity: 'warning',
        isSure: z <= SURE.z && value <= SURE.left * mean,
        message: `Only ${value} requests in ${span(window.end - start)}, usual at this time are ${round(mean)}.`,
        details: {
          current_value: value,
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          window_minutes: (window.end - start) / 60_000,
          people: window.counts.people,
          bots: window.counts.bots,
        },
      },
    ];
  },
};
