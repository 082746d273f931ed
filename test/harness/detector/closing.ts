import { intervalOf } from '../../../services/detector/arrivals/intervals.js';
import {
  beginClosing,
  type Due,
  dueNow,
  restartEvaluation,
  takeArrival,
  type WebsiteArrivals,
} from '../../../services/detector/arrivals/website-arrivals.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';

/** Adds arrivals of minutes, and closes intervals after them. */

export const NOON = Date.UTC(2026, 10, 21, 12);

/** Adds minutes that are stored and received at a time. */
export function take(
  website: WebsiteArrivals,
  storedAt: number,
  minutes: readonly number[],
  hasPendingClaims = false,
): void {
  const sorted = [...minutes].sort((a, b) => a - b);
  takeArrival(website, {
    ...{ websiteId: 'w', storedAt, receivedAt: storedAt, hasPendingClaims },
    ...{ oldestMinute: sorted[0]!, newestMinute: sorted.at(-1)! },
    intervals: [...new Set(sorted.map(intervalOf))],
  });
}

export const every = (stepMs: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, at) => from + at * stepMs);

/** A request a minute, each stored half a minute after its minute's end. */
export function stream(website: WebsiteArrivals, from: number, to: number): void {
  for (const minute of every(MINUTE_MS, from, to)) take(website, minute + 90 * SECOND_MS, [minute]);
}

/** Starts of the closed intervals. */
export function closeAll(website: WebsiteArrivals, through: number, most = 48): number[] {
  return duesOf(website, through, most).flatMap(({ start, end }) => every(INTERVAL_MS, start, end));
}

export function duesOf(website: WebsiteArrivals, through: number, most = 48): Due[] {
  const all: Due[] = [];
  restartEvaluation(website, through);
  for (let due = dueNow(website, through, most); due !== null; due = dueNow(website, through, most)) {
    beginClosing(website, due);
    all.push(due);
  }
  return all;
}
