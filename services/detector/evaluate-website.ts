import {
  type Alert,
  type AlertFamily,
  type AlertType,
  alertFamilies,
  alertTypes,
} from '../../shared/alerts/alert.js';
import type { AlertSettings } from '../../shared/alerts/settings.js';
import { emptyMinute, foldMinutes } from '../../shared/detection/fold-signals.js';
import {
  type HealthMetric,
  healthMetrics,
  INTERVAL_MINUTES,
  type Maturity,
} from '../../shared/detection/health-metrics.js';
import type { MinuteSignal } from '../../shared/detection/signal.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { noteAbsence } from './absences.js';
import { maturityOf } from './baselines/baseline.js';
import type { Judgement } from './baselines/judgement.js';
import type { Circumstances } from './circumstances.js';
import { isInhibited, noteCauses, notePersistence } from './findings/found.js';
import { adopt, clearAlerts, mergeFinding } from './findings/merge.js';
import {
  type JudgedMetrics,
  judgeCounts,
  learnInterval,
  learnSilence,
  scoreLatency,
  UNSURE_EXPECTED,
} from './judge-interval.js';
import { noteLately } from './lately.js';
import { remember, rememberShares } from './memory.js';
import { rules } from './rules/list.js';
import { addRemainders, remainderOf } from './rules/remainder.js';
import type { WindowView } from './rules/rule.js';
import { shownOf } from './rules/shown.js';
import { learnAnew, noWindows, type OpenWindow, type WebsiteState } from './website-state.js';
import { isNewBot, viewOf } from './website-view.js';
import { withoutSuppressed } from './without-suppressed.js';

/** The detector's core: what a 5-minute interval of a website says. No clock, no randomness; everything from the state and the interval. */

export interface ClosedInterval {
  /** Milliseconds since the epoch. `end` is not in it. */
  readonly start: number;
  readonly end: number;
  /** Its minutes folded into one. */
  readonly counts: MinuteSignal;
  /** Whether the website's logs are known to be there up to its end. An empty interval of which that isn't known may be a silence. */
  readonly isDelivered: boolean;
  /** End of the newest minute with requests in it; absent where none has, or that isn't known. */
  readonly lastLogAt?: number;
}

export interface HealthPoint extends Judgement {
  readonly metric: HealthMetric;
  readonly start: number;
  /** Of latency: requests whose time is known; else 0. */
  readonly timed: number;
  readonly maturity: Maturity;
  readonly observations: number;
}

export interface Evaluation {
  /** New, or an open one with `occurrences` + 1 and a later `lastSeen`. In the order in which they have to be stored. */
  readonly alerts: readonly Alert[];
  readonly health: readonly HealthPoint[];
}

const NOTHING: Evaluation = { alerts: [], health: [] };
/** What changes how many requests there are. */
const disturbing: ReadonlySet<AlertType> = new Set([
  ...(['log_silence', 'error_spike_5xx', 'traffic_drop', 'traffic_spike'] as const),
]);

/**
 * Takes in an interval and evaluates the families whose windows end with it. Mutates the state. One call for each 5-minute interval, in
 * order, also for empty ones; one that was told before is left out, and of a stretch that nobody tells nothing is concluded.
 */
export function closeInterval(
  state: WebsiteState,
  interval: ClosedInterval,
  given: Circumstances,
): Evaluation {
  const { start, end, counts } = interval;
  const { takenChangedAt = 0 } = given;
  if (takenChangedAt !== state.takenChangedAt) {
    // Of uploads that come late, too: what they bring of the time before is already what is taken since.
    const isNew = state.firstLogAt === 0;
    learnAnew(state, takenChangedAt);
    if (!isNew) {
      state.nextStart = Math.max(state.nextStart, end);
      return NOTHING;
    }
  }
  if (start < state.nextStart || (state.firstLogAt === 0 && counts.requests === 0)) return NOTHING;
  if (start > state.nextStart) passOver(state);
  state.nextStart = end;
  if (state.firstLogAt === 0) state.firstLogAt = start;
  const judged = judgeCounts(state.baselines, interval);
  const isDelivered = noteDelivery(state, interval, judged.traffic);
  const novelty = isDelivered ? scoreLatency(state.gauges.latency, interval, judged) : 0;
  if (isDelivered) learnInterval(state.baselines, interval, judged);
  remember(state.memory, start, counts, isDelivered);
  extendWindows(state, interval, judged, { isDelivered, novelty });
  clearAlerts(state.open, end);
  const alerts = evaluateFamilies(state, end, given);
  const health = healthMetrics.map((metric) => {
    const { status: maturity, observations } = maturityOf(state.baselines[metric]);
    const timed = metric === 'latency' ? counts.timed : 0;
    return { ...judged[metric], metric, start, timed, maturity, observations };
  });
  return { alerts, health };
}

/** Intervals are missing: a window with a hole in it would look like a drop, and the hole like a silence. */
function passOver(state: WebsiteState): void {
  Object.assign(state.windows, noWindows());
  state.silence.intervals = 0;
  state.silence.expected = 0;
}

/** Takes over alerts that were stored after the state was saved, so that what is found again joins them. */
export function adoptAlerts(state: WebsiteState, alerts: readonly Alert[]): void {
  adopt(
    state.open,
    alerts.filter(({ websiteId }) => websiteId === state.websiteId),
  );
}

/**
 * Keeps count of the silence. What a short one was is known when it has ended: a quiet time, which is learned, or logs that did not come.
 * @returns whether the interval is what happened on the website, and not what is missing of its logs
 */
function noteDelivery(
  state: WebsiteState,
  { start, end, counts, isDelivered, lastLogAt }: ClosedInterval,
  traffic: Judgement,
): boolean {
  const { silence } = state;
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
  state.lastLogAt = lastLogAt ?? end;
  return isDelivered;
}

function extendWindows(
  state: WebsiteState,
  { start, end, counts }: ClosedInterval,
  judged: JudgedMetrics,
  { isDelivered, novelty }: { isDelivered: boolean; novelty: number },
): void {
  const isNew = (name: string) => isNewBot(state, name, end);
  const remainder = remainderOf(counts, INTERVAL_MINUTES, isNew);
  rememberShares(state.memory, start, remainder);
  const { requests, people } = counts;
  const expected = { requests: judged.traffic.mean, people: judged.people.mean };
  const outcome = { start, requests, people, expected, novelty };
  state.recent.push({ ...outcome, isDelivered, remainder, shown: shownOf(counts), isDisturbed: false });
  while (state.recent[0]!.start < end - HOUR_MS) {
    const passed = state.recent.shift()!;
    if (passed.isDelivered && !passed.isDisturbed) noteLately(state.lately, passed);
  }
  for (const family of alertFamilies) {
    const window = state.windows[family];
    state.windows[family] = {
      start: window?.start ?? start,
      counts: window === null ? counts : foldMinutes(window.counts, counts),
      remainder: window === null ? remainder : addRemainders([window.remainder, remainder]),
      isDelivered: (window?.isDelivered ?? true) && isDelivered,
    };
  }
}

/** Rules of the families whose windows end now, causes before effects. */
function evaluateFamilies(state: WebsiteState, end: number, given: Circumstances): readonly Alert[] {
  const { settings, suppressed } = given;
  const due = alertFamilies.filter((family) => end % frequencyOf(settings, family) === 0);
  const views = new Map(
    due.map((family) => {
      const window = windowView(state, family, end, suppressed);
      return [family, { window, website: viewOf(state, window, given) }];
    }),
  );
  const alerts: Alert[] = [];
  let isDisturbed = false;
  for (const rule of rules) {
    const { family } = alertTypes[rule.type];
    const view = views.get(family);
    if (view === undefined) continue;
    const { window, website } = view;
    const found = rule.find(window, website);
    isDisturbed ||= found.length > 0 && disturbing.has(rule.type);
    const frequency = frequencyOf(settings, family);
    const persisting = notePersistence(state.found, rule, found, end, frequency);
    const ofType = (type: AlertType) => frequencyOf(settings, alertTypes[type].family);
    const told = persisting.filter((one) => !isInhibited(state.found, rule, one, window, ofType));
    noteCauses(state.found.lastPersisted, rule.type, told, end);
    if (!settings.alerts_enabled || !settings[`${family}_alerts_enabled`]) continue;
    for (const finding of rule.join?.(told) ?? told) {
      const alert = mergeFinding(state.open, state.websiteId, rule.type, finding, end);
      if (alert !== undefined) alerts.push(alert);
    }
  }
  if (isDisturbed) for (const interval of state.recent) interval.isDisturbed = true;
  for (const family of due) state.windows[family] = null;
  return alerts;
}

function frequencyOf(settings: AlertSettings, family: AlertFamily): number {
  return settings[`${family}_frequency_minutes`] * MINUTE_MS;
}

function windowView(
  state: WebsiteState,
  family: AlertFamily,
  end: number,
  suppressed: ReadonlySet<string>,
): WindowView {
  const window: OpenWindow = state.windows[family] ?? {
    start: end,
    counts: emptyMinute(end),
    remainder: addRemainders([]),
    isDelivered: false,
  };
  const span = { start: window.start, end, counts: window.counts };
  return {
    start: window.start,
    end,
    counts: withoutSuppressed(window.counts, suppressed),
    remainder: window.remainder,
    judged: judgeCounts(state.baselines, span),
    isDelivered: window.isDelivered,
  };
}
