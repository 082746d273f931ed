import { type Alert, alertFamilies } from '../../../shared/alerts/alert.js';
import {
  type HealthMetric,
  healthMetrics,
  INTERVAL_MINUTES,
  type Maturity,
} from '../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { DueInterval } from '../arrivals/due-interval.js';
import { maturityOf } from '../baselines/baseline.js';
import type { Judgement } from '../baselines/judgement.js';
import type { AskedSpan } from '../counts/asked-span.js';
import { addRemainders, remainderOf } from '../counts/remainder.js';
import type { SpanCounts } from '../counts/span-counts.js';
import { adopt, clearAlerts } from '../findings/merge.js';
import {
  type CountedSpan,
  type JudgedMetrics,
  judgeCounts,
  learnInterval,
  learnSilence,
  scoreLatency,
  UNSURE_EXPECTED,
} from '../gauges/judge-interval.js';
import { noteAbsence } from '../memory/absences.js';
import { remember, rememberShares } from '../memory/memory.js';
import type { Circumstances } from './circumstances.js';
import { isDeliveredThrough, learnSteps } from './delivery-steps.js';
import { evaluateFamilies } from './evaluate-families.js';
import { noteLately } from './lately.js';
import { noWindows, restartLearning, type WebsiteState } from './website-state.js';
import { isNewBot } from './website-view.js';

/**
 * The detector's core: evaluates a 5-minute interval of a website. It uses no clock and no randomness. The
 * result depends on the state, the interval and the counts that it yields for.
 */

/**
 * A running evaluation of an interval: it yields the spans whose counts it needs, and resumes with the
 * counts.
 */
export type Evaluating = Generator<AskedSpan, Evaluation, SpanCounts>;

export interface HealthPoint extends Judgement {
  readonly metric: HealthMetric;
  readonly start: number;
  /** For latency, the number of requests with a known duration; else 0. */
  readonly timed: number;
  readonly maturity: Maturity;
  readonly observations: number;
}

export interface Evaluation {
  /**
   * New alerts, or open ones with `occurrences` + 1 and a later `lastSeen`. In the order in which they must
   * be stored.
   */
  readonly alerts: readonly Alert[];
  readonly health: readonly HealthPoint[];
}

const NOTHING: Evaluation = { alerts: [], health: [] };

/**
 * Learns an interval and evaluates the families whose windows end with it. Mutates the state. Call it once
 * for each 5-minute interval, in order, including empty ones. An interval that was evaluated before changes
 * nothing. Skipped intervals are treated as unknown.
 */
export function* evaluateInterval(state: WebsiteState, due: DueInterval, given: Circumstances): Evaluating {
  const { start, end } = due;
  if (restartIfChanged(state, end, given.takenChangedAt ?? 0) || start < state.nextStart) return NOTHING;
  const counts = yield { start, end, lists: 'named' };
  if (state.firstLogAt === 0 && counts.requests === 0) return NOTHING;
  if (start > state.nextStart) passOver(state);
  state.nextStart = end;
  if (state.firstLogAt === 0) state.firstLogAt = start;
  const interval = { start, end, counts };
  const judged = judgeCounts(state.baselines, interval);
  const isDelivered = noteDelivery(state, interval, judged.traffic);
  const novelty = isDelivered ? scoreLatency(state.gauges.latency, interval, judged) : 0;
  if (isDelivered) learnInterval(state.baselines, interval, judged);
  remember(state.memory, start, counts, isDelivered);
  extendWindows(state, interval, judged, { isDelivered, novelty });
  clearAlerts(state.open, end);
  const alerts = yield* evaluateFamilies(state, { due, counts }, given);
  if (isFirstHour(state, start)) rememberShares(state.memory, start, state.recent.at(-1)!.remainder);
  const health = healthMetrics.map((metric) => {
    const { status: maturity, observations } = maturityOf(state.baselines[metric]);
    const timed = metric === 'latency' ? counts.timed : 0;
    return { ...judged[metric], metric, start, timed, maturity, observations };
  });
  return { alerts, health };
}

/**
 * Restarts learning if the website accepts other requests than before.
 * @returns whether the interval that ends at `end` is skipped, since it may contain both kinds
 */
function restartIfChanged(state: WebsiteState, end: number, takenChangedAt: number): boolean {
  if (takenChangedAt === state.takenChangedAt) return false;
  const isNew = state.firstLogAt === 0;
  restartLearning(state, takenChangedAt);
  if (isNew) return false;
  state.nextStart = Math.max(state.nextStart, end);
  return true;
}

/** After skipped intervals, a window with a gap would look like a drop, and the gap like a silence. */
function passOver(state: WebsiteState): void {
  Object.assign(state.windows, noWindows());
  state.silence.intervals = 0;
  state.silence.expected = 0;
}

/** Adds alerts that were stored after the state was saved, so that repeats join them. */
export function adoptAlerts(state: WebsiteState, alerts: readonly Alert[]): void {
  adopt(
    state.open,
    alerts.filter(({ websiteId }) => websiteId === state.websiteId),
  );
}

/**
 * Measures the silence. A short silence is classified when it ends: as a quiet time, which is learned, or as
 * a gap in the logs. Later requests are not used, since their arrival depends on how logs are sent.
 * @returns whether the logs of the interval have arrived
 */
function noteDelivery(state: WebsiteState, { start, end, counts }: CountedSpan, traffic: Judgement): boolean {
  const { silence } = state;
  const newest =
    counts.requests === 0 ? state.lastLogAt : (counts.minutes.at(-1) ?? end - MINUTE_MS) + MINUTE_MS;
  // Logs of an interval with requests have arrived; its last minutes are more often quiet than missing.
  const isDelivered = counts.requests > 0 || isDeliveredThrough(state.steps, newest, end);
  if (counts.requests === 0) {
    silence.intervals += 1;
    silence.expected += traffic.mean;
    return isDelivered && silence.expected < UNSURE_EXPECTED;
  }
  if (silence.intervals > 0) {
    const length = silence.intervals * (end - start);
    noteAbsence(silence.lengths, start, length);
    if (silence.expected < UNSURE_EXPECTED) learnSilence(state.baselines, start - length, start);
  }
  silence.intervals = 0;
  silence.expected = 0;
  learnSteps(state.steps, state.lastLogAt, counts.minutes);
  state.lastLogAt = newest;
  return isDelivered;
}

/** Usual shares are learned at once in the first hour, since there are no older ones. */
const isFirstHour = ({ firstLogAt }: WebsiteState, start: number) => start < firstLogAt + HOUR_MS;

function extendWindows(
  state: WebsiteState,
  { start, end, counts }: CountedSpan,
  judged: JudgedMetrics,
  { isDelivered, novelty }: { isDelivered: boolean; novelty: number },
): void {
  const isNew = (name: string) => isNewBot(state, name, end);
  const remainder = remainderOf(counts, INTERVAL_MINUTES, isNew);
  const { requests, people } = counts;
  const expected = { requests: judged.traffic.mean, people: judged.people.mean };
  state.recent.push({
    ...{ start, requests, people, expected, novelty },
    ...{ isDelivered, remainder, isDisturbed: false },
  });
  while (state.recent[0]!.start < end - HOUR_MS) {
    const passed = state.recent.shift()!;
    // Delayed by an hour, so that the usual shares at an incident do not include it.
    if (!isFirstHour(state, passed.start)) rememberShares(state.memory, passed.start, passed.remainder);
    if (passed.isDelivered && !passed.isDisturbed) noteLately(state.lately, passed);
  }
  for (const family of alertFamilies) {
    const window = state.windows[family];
    state.windows[family] = {
      start: window?.start ?? start,
      remainder: window === null ? remainder : addRemainders([window.remainder, remainder]),
      isDelivered: (window?.isDelivered ?? true) && isDelivered,
    };
  }
}
