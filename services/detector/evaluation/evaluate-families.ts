import {
  type Alert,
  type AlertFamily,
  type AlertType,
  alertFamilies,
  alertTypes,
  fingerprintOf,
} from '../../../shared/alerts/alert.js';
import type { AlertSettings } from '../../../shared/alerts/settings.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { DueInterval } from '../arrivals/due-interval.js';
import type { AskedSpan } from '../counts/asked-span.js';
import { type CountedLists, countedLists, NO_TIMES, type SpanCounts } from '../counts/span-counts.js';
import { beginningOf } from '../findings/beginning.js';
import { isInhibited, noteCauses, notePersistence } from '../findings/found.js';
import { mergeFinding } from '../findings/merge.js';
import { judgeCounts } from '../gauges/judge-interval.js';
import { rules } from '../rules/all-rules.js';
import type { Finding, Rule, WebsiteView, WindowView } from '../rules/rule.js';
import type { Circumstances } from './circumstances.js';
import type { WebsiteState } from './website-state.js';
import { viewOf } from './website-view.js';
import { withoutSuppressed } from './without-suppressed.js';

/**
 * Runs the rules on the windows that end with an interval. Part of the core: pure, except that it changes the
 * state.
 */

/** The lists that the rules of a family need. Evidence is counted only for findings that become alerts. */
const listsByFamily: Readonly<Record<AlertFamily, CountedLists>> = {
  traffic: 'none',
  error: 'none',
  bot: 'named',
  seo: 'bots',
};

/** Findings of these types change the number of requests. */
const disturbing: ReadonlySet<AlertType> = new Set([
  ...(['log_silence', 'error_spike_5xx', 'traffic_drop', 'traffic_spike'] as const),
]);

export interface CountedInterval {
  readonly due: DueInterval;
  readonly counts: SpanCounts;
}

/** Runs the rules of the families whose windows end now, causes before effects. */
export function* evaluateFamilies(
  state: WebsiteState,
  { due, counts }: CountedInterval,
  given: Circumstances,
): Generator<AskedSpan, Alert[], SpanCounts> {
  const { end } = due;
  const { settings } = given;
  const families = alertFamilies
    .filter((family) => end % frequencyOf(settings, family) === 0)
    .sort((a, b) => countedLists.indexOf(listsByFamily[b]) - countedLists.indexOf(listsByFamily[a]));
  const asked = new Map([[due.start, { lists: 'named' as CountedLists, counts }]]);
  const countsSince: CountsSince = function* (start, lists) {
    let known = asked.get(start);
    if (known === undefined || countedLists.indexOf(known.lists) < countedLists.indexOf(lists)) {
      known = { lists, counts: yield { start, end, lists } };
      asked.set(start, known);
    }
    return withoutSuppressed(known.counts, given.suppressed);
  };
  const views = new Map<AlertFamily, FamilyView>();
  for (const family of families) {
    const window = yield* windowView(state, family, end, countsSince);
    views.set(family, { window, website: viewOf(state, window, given) });
  }
  const alerts: Alert[] = [];
  let isDisturbed = false;
  for (const rule of rules) {
    const view = views.get(alertTypes[rule.type].family);
    if (view === undefined) continue;
    const { isFound, raised } = findBy(rule, view, state, { end, settings });
    isDisturbed ||= isFound && disturbing.has(rule.type);
    for (const finding of raised) {
      const shown =
        finding.evidence === undefined ? undefined : yield* countsSince(finding.evidence.since, 'all');
      const dated = yield* withTimes(finding, rule, { state, window: view.window, countsSince });
      const shownFinding = withEvidence(dated, shown, due);
      const alert = mergeFinding(state.open, state.websiteId, rule.type, shownFinding, end);
      if (alert !== undefined) alerts.push(alert);
    }
  }
  if (isDisturbed) for (const interval of state.recent) interval.isDisturbed = true;
  for (const family of families) state.windows[family] = null;
  return alerts;
}

/** Counts from `start` to the end of the evaluated interval. */
type CountsSince = (start: number, lists: CountedLists) => Generator<AskedSpan, SpanCounts, SpanCounts>;

interface FamilyView {
  readonly window: WindowView;
  readonly website: WebsiteView;
}

/**
 * Runs a rule. Mutates the history of findings.
 * @returns `isFound`: whether it found anything; `raised`: the findings that become alerts
 */
function findBy(
  rule: Rule,
  { window, website }: FamilyView,
  { found: history }: WebsiteState,
  { end, settings }: { readonly end: number; readonly settings: AlertSettings },
): { isFound: boolean; raised: readonly Finding[] } {
  const { family } = alertTypes[rule.type];
  const found = rule.find(window, website);
  const persisting = notePersistence(history, rule, found, end, frequencyOf(settings, family));
  const ofType = (type: AlertType) => frequencyOf(settings, alertTypes[type].family);
  const uninhibited = persisting.filter((one) => !isInhibited(history, rule, one, window, ofType));
  noteCauses(history.lastPersisted, rule.type, uninhibited, end);
  const isWanted = settings.alerts_enabled && settings[`${family}_alerts_enabled`];
  const joined = rule.join?.(uninhibited) ?? uninhibited;
  const since = Math.min(...uninhibited.map((one) => one.since ?? window.start));
  return { isFound: found.length > 0, raised: isWanted ? joined.map((one) => ({ since, ...one })) : [] };
}

/**
 * Adds the beginning of the finding, and the times of its requests. For a repeat they are those of the newest window: the
 * open alert has the beginning.
 */
function* withTimes(
  finding: Finding,
  { type }: Rule,
  { state, window, countsSince }: { state: WebsiteState; window: WindowView; countsSince: CountsSince },
): Generator<AskedSpan, Finding, SpanCounts> {
  const { severity, subject, times, details } = finding;
  const isRepeat = state.open.has(fingerprintOf({ type, severity, subject }));
  const since = isRepeat ? window.start : Math.min(window.start, finding.since ?? window.start);
  const at = times === undefined ? NO_TIMES : times.in(yield* countsSince(since, times.lists));
  return { ...finding, details: { ...details, ...beginningOf(since, at) } };
}

/** Adds the evidence to a finding, and the age of imported logs. */
function withEvidence(
  { evidence, ...finding }: Finding,
  counts: SpanCounts | undefined,
  { hoursOld }: DueInterval,
): Finding {
  const shown = counts === undefined ? undefined : evidence?.show(counts);
  return {
    ...finding,
    message: finding.message + (shown?.sentence ?? ''),
    details: {
      ...finding.details,
      ...shown?.details,
      ...(hoursOld !== undefined && { from_import: true, hours_old: hoursOld }),
    },
  };
}

function frequencyOf(settings: AlertSettings, family: AlertFamily): number {
  return settings[`${family}_frequency_minutes`] * MINUTE_MS;
}

function* windowView(
  state: WebsiteState,
  family: AlertFamily,
  end: number,
  countsSince: CountsSince,
): Generator<AskedSpan, WindowView, SpanCounts> {
  const { start, remainder, isDelivered } = state.windows[family]!;
  const counts = yield* countsSince(start, listsByFamily[family]);
  const judged = judgeCounts(state.baselines, { start, end, counts });
  return { start, end, counts, remainder, judged, isDelivered };
}
