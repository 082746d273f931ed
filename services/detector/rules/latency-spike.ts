import { deviationOf, round } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

const LEAST_Z = 5;
const LEAST_TIMES = 1.5;
/** Milliseconds that a person notices. */
const LEAST_EXCESS_MS = 50;
const LEAST_TIMED = 30;

/** Answers take far longer than at this hour as a rule. */
export const latencySpike: Rule = {
  type: 'latency_spike',
  persistence: TWO_OF_THREE,
  inhibitedBy: ['error_spike_5xx'],
  find({ judged, counts }, { maturity }) {
    const { value, mean, z, status } = judged.latency;
    if (maturity === 'building' || status === 'insufficient_data' || counts.timed < LEAST_TIMED) return [];
    if (z < LEAST_Z || value < LEAST_TIMES * mean || value - mean < LEAST_EXCESS_MS) return [];
    return [
      {
        subject: '',
        severity: 'warning',
        message: `Answers take ${round(value)} ms on average, usual at this time are ${round(mean)} ms.`,
        details: {
          current_value: round(value),
          baseline_value: round(mean),
          deviation_pct: deviationOf(value, mean),
          unit: 'ms',
          timed_requests: counts.timed,
          requests: counts.requests,
          // Signals tell no times by path; the read does.
          slow_paths_at: '/recommendations/slow-paths',
        },
      },
    ];
  },
};
