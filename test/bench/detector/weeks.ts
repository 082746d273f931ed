import { createRandom, shuffled } from '../../../deploy/demo/traffic/random.js';
import { newWebsiteState } from '../../../services/detector/evaluation/website-state.js';
import type { Alert, AlertType } from '../../../shared/alerts/alert.js';
import { alertTypes } from '../../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { play } from './play.js';
import { REPORT_AFTER_MS, type SeededIncident, seededTypes, seedIncident } from './seeded-incidents.js';
import { SIMULATION_START, type SimulatedWebsite, simulateWebsite } from './simulated-website.js';

/**
 * Simulated weeks, two in three with an incident a day and one in three without any. An alert is right during
 * an incident of its type and subject. Every other one is false, even if it reports an effect of an incident.
 */

const WEEK_MS = 7 * DAY_MS;
const HISTORY_WEEKS = 2;
const JUDGED_WEEKS = 3;
const QUIET_WEEK = 1;

export interface SeenIncident {
  readonly incident: SeededIncident;
  /** The alert that reported it. */
  readonly alert: Alert | undefined;
  /** In evaluation periods of the family, since it was detectable. */
  readonly delay: number | undefined;
}

export interface WeeksResult {
  readonly weeks: number;
  readonly quietWeeks: number;
  /** Before the evaluated weeks. */
  readonly historyWeeks: number;
  readonly incidents: readonly SeenIncident[];
  readonly rightAlerts: number;
  /** In the evaluated weeks. */
  readonly falseAlerts: readonly (Alert & { website: string })[];
  /** In the weeks before them, which have no incidents; after the first day. */
  readonly falseInHistory: readonly (Alert & { website: string })[];
}

/** @param websites three evaluated weeks each */
export function benchWeeks(seed: string, websites: number): WeeksResult {
  const random = createRandom(`weeks ${seed}`);
  const slots = websites * (JUDGED_WEEKS - 1) * 7;
  const deck = shuffled(
    Array.from({ length: slots }, (_, index) => seededTypes[index % seededTypes.length]!),
    random,
  );
  const results = Array.from({ length: websites }, (_, index) => {
    const website = simulateWebsite(`${seed} website ${index}`, HISTORY_WEEKS + JUDGED_WEEKS);
    const incidents: SeededIncident[] = [];
    for (let day = 0; day < JUDGED_WEEKS * 7; day++) {
      if (Math.floor(day / 7) === QUIET_WEEK) continue;
      const dayStart = SIMULATION_START + HISTORY_WEEKS * WEEK_MS + day * DAY_MS;
      // Every incident is over by the next day.
      const start = dayStart + random.int((8 * HOUR_MS) / INTERVAL_MS) * INTERVAL_MS;
      incidents.push(seedIncident(deck.pop()!, random, website, start));
    }
    return judgeWebsite(website, incidents);
  });
  return {
    weeks: websites * JUDGED_WEEKS,
    quietWeeks: websites,
    historyWeeks: websites * HISTORY_WEEKS,
    incidents: results.flatMap(({ incidents }) => incidents),
    rightAlerts: results.reduce((sum, { right }) => sum + right, 0),
    falseAlerts: results.flatMap(({ wrong }) => wrong),
    falseInHistory: results.flatMap(({ inHistory }) => inHistory),
  };
}

function judgeWebsite(website: SimulatedWebsite, incidents: readonly SeededIncident[]) {
  const state = newWebsiteState(website.seed);
  const judgedFrom = SIMULATION_START + HISTORY_WEEKS * WEEK_MS;
  const end = judgedFrom + JUDGED_WEEKS * WEEK_MS;
  const named = (alert: Alert) => ({ ...alert, website: website.seed });
  const inHistory = play(state, website, { start: SIMULATION_START, end: judgedFrom }).map(named);
  const alerts = play(state, website, { start: judgedFrom, end }, incidents).map(named);
  const seen = incidents.map((incident): SeenIncident => {
    const alert = alerts.find((candidate) => tells(candidate, incident));
    const period = periodOf(incident.type);
    const delay = alert && Math.max(0, (alert.createdAt - incident.onset) / period);
    return { incident, alert, delay };
  });
  const isRight = (alert: Alert) => incidents.some((incident) => tells(alert, incident));
  return {
    incidents: seen,
    right: alerts.filter(isRight).length,
    wrong: alerts.filter((alert) => !isRight(alert)),
    inHistory,
  };
}

function tells(alert: Alert, { type, subject, start, end }: SeededIncident): boolean {
  const isAtTheTime = alert.createdAt > start && alert.createdAt <= end + REPORT_AFTER_MS;
  return isAtTheTime && alert.type === type && alert.subject === subject;
}

function periodOf(type: AlertType): number {
  return defaultAlertSettings[`${alertTypes[type].family}_frequency_minutes`] * MINUTE_MS;
}
