import {
  type ClosedInterval,
  closeInterval,
  type Evaluation,
} from '../../../services/detector/evaluate-website.js';
import { newWebsiteState, type WebsiteState } from '../../../services/detector/website-state.js';
import { type AlertSettings, defaultAlertSettings } from '../../../shared/alerts/settings.js';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { botOf, minuteOf } from './signal.js';

/** A website on which nothing happens, for tests: 300 requests in five minutes, a few more or less, and a crawler. */

export const STEP = 5 * MINUTE_MS;
export const START = Date.UTC(2026, 9, 5);
export const NOW = START + 2 * DAY_MS;

/** What an interval is, where something happens; undefined: no logs. */
export type Change = (usual: MinuteSignal, at: number) => MinuteSignal | undefined;

export function intervalAt(at: number, change: Change = (usual) => usual): ClosedInterval {
  const wave = ((at / STEP) * 7) % 11;
  const requests = 290 + 2 * wave;
  const usual = minuteOf({
    minute: at,
    requests,
    people: requests - 10,
    bots: 10,
    crawlers: 10,
    status4xx: 5,
    notFound: 4,
    rejected: 1,
    status5xx: wave === 3 ? 1 : 0,
    timed: requests,
    timeTakenMs: requests * (120 + wave),
    byBot: [botOf({ name: 'Googlebot', family: 'Google', verification: 'verified', requests: 10 })],
  });
  const counts = change(usual, at);
  return {
    ...{ start: at, end: at + STEP },
    counts: counts ?? minuteOf({ minute: at }),
    isDelivered: counts !== undefined,
  };
}

export interface Given {
  readonly settings?: Partial<AlertSettings>;
  readonly suppressed?: readonly string[];
  readonly takenChangedAt?: number;
}

/** Closes the intervals from `start` to `end`. */
export function playSteady(
  state: WebsiteState,
  { start, end }: { start: number; end: number },
  change?: Change,
  { settings = {}, suppressed = [], takenChangedAt = 0 }: Given = {},
): Evaluation[] {
  const given = {
    settings: { ...defaultAlertSettings, ...settings },
    suppressed: new Set(suppressed),
    takenChangedAt,
    sharedNetworkOf: () => null,
  };
  const evaluations: Evaluation[] = [];
  for (let at = start; at < end; at += STEP) {
    evaluations.push(closeInterval(state, intervalAt(at, change), given));
  }
  return evaluations;
}

/** A website that is known for two days, up to {@link NOW}. */
export function knownWebsite(): WebsiteState {
  const state = newWebsiteState('w');
  playSteady(state, { start: START, end: NOW });
  return state;
}

/** Errors, slow answers and fewer people: one outage. */
export const outage: Change = (usual) => ({
  ...usual,
  requests: 150,
  people: 145,
  bots: 5,
  status5xx: 90,
  timed: 150,
  timeTakenMs: 150 * 900,
  byBot: usual.byBot.map((bot) => ({ ...bot, requests: 5, status5xx: 4 })),
  failingPaths: [{ path: '/pay', status: 502, requests: 90 }],
});

export const spike: Change = (usual) => ({
  ...usual,
  requests: usual.requests * 4,
  people: usual.people * 4,
});
