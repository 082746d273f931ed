import type { SpanCounts } from '../../../services/detector/counts/span-counts.js';
import type { Evaluation } from '../../../services/detector/evaluation/evaluate-website.js';
import { newWebsiteState, type WebsiteState } from '../../../services/detector/evaluation/website-state.js';
import { type AlertSettings, defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { closeWith, createCountedIntervals } from './close-with.js';
import { botOf, countsOf } from './counts.js';

/** A website with steady traffic: about 300 requests in five minutes, and a crawler. */

export const STEP = 5 * MINUTE_MS;
export const START = Date.UTC(2026, 9, 5);
export const NOW = START + 2 * DAY_MS;

/** Changes the counts of an interval; undefined: no logs. */
export type Change = (usual: SpanCounts, at: number) => SpanCounts | undefined;

/** The counts of an interval; undefined: no logs arrived. */
function countsAt(at: number, change: Change = (usual) => usual): SpanCounts | undefined {
  const wave = ((at / STEP) * 7) % 11;
  const requests = 290 + 2 * wave;
  const usual = countsOf({
    start: at,
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
  return change(usual, at);
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
  // Counts of intervals that an earlier call has played.
  const before = (at: number) => countsAt(at, at < NOW ? undefined : change) ?? countsOf({ start: at });
  const intervals = createCountedIntervals((at) => (at < start ? before(at) : countsOf({ start: at })));
  for (let at = start; at < end; at += STEP) {
    const counts = countsAt(at, change);
    if (counts !== undefined) {
      intervals.add(counts);
    }
    const due = { start: at, end: at + STEP };
    evaluations.push(closeWith(state, due, given, intervals.countsOf));
  }
  return evaluations;
}

/** A website that is known for two days, up to {@link NOW}. */
export function knownWebsite(): WebsiteState {
  const state = newWebsiteState('w');
  playSteady(state, { start: START, end: NOW });
  return state;
}

/** Errors, slow responses and fewer people: one outage. */
export const outage: Change = (usual) => ({
  ...usual,
  requests: 150,
  people: 145,
  bots: 5,
  status5xx: 90,
  timed: 150,
  timeTakenMs: 150 * 900,
  byBot: usual.byBot.map((bot) => ({ ...bot, requests: 5, status5xx: 4 })),
  paths: [{ path: '/pay', status: 502, requests: 90 }],
});

export const spike: Change = (usual) => ({
  ...usual,
  requests: usual.requests * 4,
  people: usual.people * 4,
});
