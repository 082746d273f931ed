import type { CountedSpans, CountsByWebsite } from '../../../services/detector/counts/counts-reader.js';
import { emptyCounts, type SpanCounts } from '../../../services/detector/counts/span-counts.js';
import type { DetectorCore } from '../../../services/detector/evaluation/core.js';
import { type Alert, alertIdOf, fingerprintOf } from '../../../shared/alerts/alert.js';
import { HOUR_MS } from '../../../shared/durations.js';

/** A core for tests of the code around it. It raises alerts for many requests, and counts given requests. */

/** An interval with this many requests raises an alert; a repeat within two hours joins it. */
const ALARMING = 10;

export interface FakeState {
  readonly websiteId: string;
  next: number;
  readonly open: Map<string, Alert>;
}

export const fakeCore: DetectorCore<FakeState> = {
  newState: (websiteId) => ({ websiteId, next: 0, open: new Map() }),
  encode: ({ open, ...state }) => JSON.stringify({ ...state, open: [...open] }),
  decode: (text) => {
    const { open, ...state } = JSON.parse(text);
    return { ...state, open: new Map(open) };
  },
  *evaluateInterval(state, { start, end }) {
    if (start < state.next) return { alerts: [], health: [] };
    state.next = end;
    const counts = yield { start, end, lists: 'named' };
    const health = [{ ...point, start, value: counts.requests }];
    if (counts.requests < ALARMING) return { alerts: [], health };
    const found = {
      websiteId: state.websiteId,
      type: 'traffic_spike',
      severity: 'warning',
      subject: '',
    } as const;
    const known = state.open.get(fingerprintOf(found));
    if (known !== undefined && end <= known.lastSeen) return { alerts: [], health };
    const repeats = known !== undefined && end - known.lastSeen <= 2 * HOUR_MS;
    const id = alertIdOf({ ...found, createdAt: end });
    const alert: Alert = repeats
      ? { ...known, lastSeen: end, occurrences: known.occurrences + 1 }
      : { ...found, alertId: id, message: 'm', details: {}, createdAt: end, lastSeen: end, occurrences: 1 };
    state.open.set(fingerprintOf(found), alert);
    return { alerts: [alert], health };
  },
  adoptAlerts(state, alerts) {
    for (const alert of alerts) state.open.set(fingerprintOf(alert), alert);
  },
  forgetAddress(state, names) {
    const naming = [...state.open].filter(([, { message }]) => names(message));
    for (const [key] of naming) state.open.delete(key);
    return naming.length > 0;
  },
  valueOf: (_metric, { requests }) => requests,
};

const point = {
  metric: 'traffic',
  mean: 1,
  std: 1,
  z: 0,
  status: 'normal',
  timed: 0,
  maturity: 'building',
  observations: 0,
} as const;

/** Requests of one minute, stored at one time. */
export interface FakeRow {
  readonly websiteId: string;
  readonly minute: number;
  readonly storedAt: number;
  readonly requests: number;
}

/** Counts of requests only. */
export function countFakeRows(
  rows: readonly FakeRow[],
  { websiteIds, from, to, lengthMs }: CountedSpans,
): CountsByWebsite {
  const byWebsite = new Map<string, Map<number, SpanCounts>>();
  for (const { websiteId, minute, requests } of rows) {
    if (minute < from || minute >= to || !websiteIds.includes(websiteId)) continue;
    const start = from + Math.floor((minute - from) / lengthMs) * lengthMs;
    const spans = byWebsite.get(websiteId) ?? new Map<number, SpanCounts>();
    const known = spans.get(start) ?? emptyCounts(start);
    const minutes = [...new Set([...known.minutes, minute])].sort((a, b) => a - b);
    const sum = known.requests + requests;
    spans.set(start, { ...known, minutes, requests: sum, people: sum });
    byWebsite.set(websiteId, spans);
  }
  return byWebsite;
}
