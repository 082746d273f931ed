import { MINUTE_MS } from '../../../shared/durations.js';
import type { SpanCounts } from '../counts/span-counts.js';
import { NOVEL } from '../gauges/gauge.js';
import { deviationOf, round } from './figures.js';
import { type Rule, TWO_OF_THREE, type WindowView } from './rule.js';

const persistence = TWO_OF_THREE;
const LEAST_Z = 5;
const LEAST_TIMES = 1.5;
/** The least excess that a person notices, in milliseconds. */
const LEAST_EXCESS_MS = 50;
/**
 * Requests needed for an average. The noise of few requests is in the deviation, which grows as requests get
 * fewer.
 */
const LEAST_TIMED = 15;
/**
 * Bounds on machine requests, over their usual number and over those of people. Above them, the average is
 * that of the pages a crawler requests.
 */
const MACHINES = { times: 2, more: 10 } as const;

/**
 * Responses take far longer than usual at this hour, or have a new level. Novelty is scored only once, so a
 * window counts as new if any window within its persistence was.
 */
export const latencySpike: Rule = {
  type: 'latency_spike',
  persistence,
  inhibitedBy: ['error_spike_5xx'],
  find({ judged, counts, start, end }, { maturity, noveltySince }) {
    const { value, mean, z, status } = judged.latency;
    if (maturity === 'building' || status === 'insufficient_data' || counts.timed < LEAST_TIMED) return [];
    if (value < LEAST_TIMES * mean || value - mean < LEAST_EXCESS_MS) return [];
    if (isBoutOfMachines(counts, judged)) return [];
    const lasting = end - persistence.of * (end - start);
    if (z < LEAST_Z && noveltySince(lasting) < NOVEL) return [];
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
          window_minutes: (end - start) / MINUTE_MS,
          timed_requests: counts.timed,
          requests: counts.requests,
          // The counts have no durations by path; this API read has.
          slow_paths_at: '/recommendations/slow-paths',
        },
      },
    ];
  },
};

function isBoutOfMachines(
  { requests, people }: SpanCounts,
  { traffic, people: usual }: WindowView['judged'],
) {
  const machines = requests - people;
  const usualMachines = Math.max(0, traffic.mean - usual.mean);
  return machines > people && machines > MACHINES.times * usualMachines + MACHINES.more;
}
