import type { Arrival } from '../../../shared/detection/arrival.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { INTERVAL_MS } from '../baselines/hours.js';
import type { DueInterval } from '../evaluate-website.js';
import { type Delivery, learnDelivery, newDelivery, patienceOf } from './delivery.js';
import {
  CLOSING_DELAY_MS,
  intervalOf,
  KEPT_MS,
  LONGEST_IMPORT_MS,
  LONGEST_PARTIAL_MS,
  LONGEST_SETTLING_MS,
  PAST_MS,
  PAST_SETTLED_MS,
  SETTLED_MS,
} from './intervals.js';

/**
 * Which intervals of a website have requests that are not judged yet, and when each may be closed. It holds times and no counts: those are read
 * when an interval closes. Nothing here asks a clock: times come with the arrivals, and from the caller. Plain data, some hundred bytes.
 */
export interface WebsiteArrivals {
  readonly delivery: Delivery;
  /** Start of the interval to be closed next: all before it are closed. Null: nothing came yet. */
  next: number | null;
  /** Whether any was closed: until then earlier logs may still move `next` back. */
  hasClosed: boolean;
  /** Whether those that were closed last were an archive's: between it and the first logs that come as they are made nobody knows what happened. */
  hasGap: boolean;
  /** Intervals with requests that came as they were made, by start. */
  readonly open: Map<number, Filling>;
  /** The stretch of older requests that is not judged yet. */
  past: Past | null;
  /** Closed intervals that requests came late for: their health is to be counted again. */
  readonly changed: Set<number>;
}

/** When the first and the newest part of something were stored. */
export interface Filling {
  readonly firstAt: number;
  readonly newestAt: number;
}

export interface Past extends Filling {
  /** Milliseconds since the epoch. `to` is not in it. */
  readonly from: number;
  readonly to: number;
}

/** Intervals that are due, in order. */
export interface Due {
  readonly start: number;
  readonly end: number;
  /** Whether their requests came as logs of the past. */
  readonly isPast: boolean;
}

export function newWebsiteArrivals(): WebsiteArrivals {
  return {
    ...{ delivery: newDelivery(), next: null, hasClosed: false, hasGap: false },
    ...{ open: new Map(), past: null, changed: new Set() },
  };
}

/** Notes what a range brought. Mutates. */
export function takeArrival(website: WebsiteArrivals, arrival: Arrival): void {
  learnDelivery(website.delivery, arrival);
  for (const start of arrival.intervals) takeInterval(website, start, arrival);
}

function takeInterval(website: WebsiteArrivals, start: number, { storedAt, receivedAt }: Arrival): void {
  if (website.next === null || (!website.hasClosed && start < website.next)) website.next = start;
  if (start < website.next) {
    if (start >= storedAt - KEPT_MS) website.changed.add(start);
    return;
  }
  if (start + INTERVAL_MS > receivedAt - PAST_MS) {
    website.open.set(start, filled(website.open.get(start), storedAt));
    return;
  }
  const { past } = website;
  website.past = {
    ...filled(past, storedAt),
    from: Math.min(past?.from ?? start, start),
    to: Math.max(past?.to ?? 0, start + INTERVAL_MS),
  };
}

function filled(known: Filling | null | undefined, storedAt: number): Filling {
  return {
    firstAt: Math.min(known?.firstAt ?? storedAt, storedAt),
    newestAt: Math.max(known?.newestAt ?? storedAt, storedAt),
  };
}

/**
 * Which intervals may be closed, the next ones first; null: none is due. What lies behind a stretch of the past waits for it.
 * @param through up to when all arrivals are known to be noted, milliseconds since the epoch @param most intervals
 */
export function dueNow(website: WebsiteArrivals, through: number, most: number): Due | null {
  skipForgotten(website, through);
  const start = nextOf(website);
  const { past, delivery, open } = website;
  if (start === null) return null;
  const longest = start + most * INTERVAL_MS;
  if (past !== null && start < past.to) {
    const isComplete = through >= Math.min(past.newestAt + PAST_SETTLED_MS, past.firstAt + LONGEST_IMPORT_MS);
    return isComplete ? { start, end: Math.min(past.to, longest), isPast: true } : null;
  }
  if (isMidDelivery(website, through)) return null;
  // Behind an archive no silence begins.
  const last = delivery.isLive ? longest : Math.min(longest, Math.max(...open.keys()) + INTERVAL_MS);
  let end = start;
  while (end < last && isDue(website, end, through)) end += INTERVAL_MS;
  return end === start ? null : { start, end, isPast: false };
}

/** The interval that is to be closed next; null: nothing came yet. */
function nextOf({ next, hasGap, past, open, delivery }: WebsiteArrivals): number | null {
  if (next === null || !hasGap || !delivery.isLive || past !== null || open.size === 0) return next;
  return Math.max(next, Math.min(...open.keys()));
}

/** Takes them for closed: later arrivals for them come late. Mutates. */
export function beginClosing(website: WebsiteArrivals, { end }: Due): void {
  website.next = end;
  website.hasClosed = true;
  for (const start of website.open.keys()) if (start < end) website.open.delete(start);
  const { past, delivery } = website;
  website.hasGap = !delivery.isLive;
  if (past === null || end < past.to) return;
  website.past = null;
  // As behind an archive.
  if (!delivery.isLive || website.open.size === 0) return;
  const firstOpen = Math.min(...website.open.keys());
  if (firstOpen - end > PAST_MS) website.next = firstOpen;
}

/** Each of them, as the core takes it. @param through as {@link dueNow} has it */
export function intervalsOf({ start, end, isPast }: Due, through: number): DueInterval[] {
  return Array.from({ length: (end - start) / INTERVAL_MS }, (_, index) => {
    const from = start + index * INTERVAL_MS;
    const to = from + INTERVAL_MS;
    const hoursOld = Math.max(0, Math.floor((through - to) / HOUR_MS));
    return { start: from, end: to, ...(isPast && { hoursOld }) };
  });
}

function isDue({ open, delivery }: WebsiteArrivals, start: number, through: number): boolean {
  const end = start + INTERVAL_MS;
  return through >= end + CLOSING_DELAY_MS && through >= waitsUntil(end, open.get(start), delivery);
}

/** Until when more is to be expected for an interval that is over. */
function waitsUntil(end: number, filling: Filling | undefined, delivery: Delivery): number {
  const isPassed = delivery.through >= end;
  const usual = isPassed ? end : end + patienceOf(delivery);
  if (filling === undefined) return usual;
  const settled = Math.min(
    filling.newestAt + SETTLED_MS,
    Math.max(end, filling.firstAt) + LONGEST_SETTLING_MS,
  );
  return Math.max(settled, Math.min(usual, Math.max(end, filling.newestAt) + LONGEST_PARTIAL_MS));
}

/** Between two files of an import the next one lies before the time that the clock would step to. */
function isMidDelivery({ next, hasClosed, open, delivery }: WebsiteArrivals, through: number): boolean {
  if (next === null || !hasClosed || open.size > 0 || next >= intervalOf(through - PAST_MS)) return false;
  return through - delivery.storedAt < LONGEST_SETTLING_MS;
}

/** After a long absence of the detector itself: what was not noted meanwhile is no silence. */
function skipForgotten(website: WebsiteArrivals, through: number): void {
  const { next, hasClosed, past, open, delivery } = website;
  // The next part of an archive may be older.
  if (next === null || !hasClosed || past !== null || !delivery.isLive) return;
  const oldest = intervalOf(through - KEPT_MS);
  if (next < oldest) website.next = Math.max(next, Math.min(...open.keys(), oldest));
}
