import type { Arrival } from '../../../shared/detection/arrival.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { type Delivery, learnDelivery, newDelivery, patienceOf } from './delivery.js';
import type { DueInterval } from './due-interval.js';
import {
  CLOSING_DELAY_MS,
  HEALTH_CORRECTED_MS,
  intervalOf,
  LONGEST_IMPORT_MS,
  LONGEST_OUTAGE_MS,
  LONGEST_PARTIAL_MS,
  LONGEST_SETTLING_MS,
  PAST_MS,
  PAST_SETTLED_MS,
  SETTLED_MS,
} from './intervals.js';

/**
 * Which intervals of a website have requests that are not evaluated yet, and when each may close. It has times and no counts: counts are read from the
 * store when an interval closes. No clock is read here: times come from the arrivals and the caller. Plain data, some hundred bytes.
 */
export interface WebsiteArrivals {
  readonly delivery: Delivery;
  /** Start of the next interval to close: all before it are closed. Null: nothing has arrived yet. */
  next: number | null;
  /** Whether an interval was closed. Before that, older logs move `next` back. */
  hasClosed: boolean;
  /** Whether no live logs had arrived when the last interval closed. Nothing is known of the time between an archive and the first live logs. */
  hasGap: boolean;
  /** Intervals with live requests, by start. */
  readonly open: Map<number, Filling>;
  /** The stretch of imported logs that is not evaluated yet. */
  past: Past | null;
  /** Closed intervals with late requests: their health must be counted again. */
  readonly changed: Set<number>;
}

/** When the first and the newest requests of an interval or stretch were stored. */
export interface Filling {
  readonly firstAt: number;
  readonly newestAt: number;
}

export interface Past extends Filling {
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Intervals that are due, in order. */
export interface Due {
  readonly start: number;
  readonly end: number;
  /** Whether their requests are imported logs. */
  readonly isPast: boolean;
}

export function newWebsiteArrivals(): WebsiteArrivals {
  return {
    ...{ delivery: newDelivery(), next: null, hasClosed: false, hasGap: false },
    ...{ open: new Map(), past: null, changed: new Set() },
  };
}

/** Notes an arrival. Mutates. */
export function takeArrival(website: WebsiteArrivals, arrival: Arrival): void {
  learnDelivery(website.delivery, arrival);
  for (const start of arrival.intervals) takeInterval(website, start, arrival);
}

function takeInterval(website: WebsiteArrivals, start: number, { storedAt, receivedAt }: Arrival): void {
  if (website.next === null || (!website.hasClosed && start < website.next)) website.next = start;
  if (start < website.next) {
    if (start >= storedAt - HEALTH_CORRECTED_MS) website.changed.add(start);
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
 * The next intervals that may close, at most `most`; null: none is due. Intervals after a stretch of imported logs wait until it is closed.
 * @param through time up to which all arrivals are noted, milliseconds since the epoch
 */
export function dueNow(website: WebsiteArrivals, through: number, most: number): Due | null {
  skipUnobserved(website, through);
  const start = nextOf(website);
  const { past, delivery, open } = website;
  if (start === null) return null;
  const longest = start + most * INTERVAL_MS;
  if (past !== null && start < past.to) {
    const isComplete = through >= Math.min(past.newestAt + PAST_SETTLED_MS, past.firstAt + LONGEST_IMPORT_MS);
    return isComplete ? { start, end: Math.min(past.to, longest), isPast: true } : null;
  }
  if (isMidDelivery(website, through)) return null;
  // After an archive, intervals without requests stay open: no silence begins.
  const last = delivery.isLive ? longest : Math.min(longest, Math.max(...open.keys()) + INTERVAL_MS);
  let end = start;
  while (end < last && isDue(website, end, through)) end += INTERVAL_MS;
  return end === start ? null : { start, end, isPast: false };
}

/**
 * The interval to close next. After an archive it is the first with live logs, and a hole of hours in the archive is skipped.
 * Null: nothing has arrived yet.
 */
function nextOf({ next, hasGap, past, open, delivery }: WebsiteArrivals): number | null {
  if (next === null || !hasGap || past !== null || open.size === 0) return next;
  const first = Math.min(...open.keys());
  return delivery.isLive || first - next > PAST_MS ? Math.max(next, first) : next;
}

/** Marks the intervals as closed: later arrivals for them are late. Mutates. */
export function beginClosing(website: WebsiteArrivals, { end }: Due): void {
  website.next = end;
  website.hasClosed = true;
  for (const start of website.open.keys()) if (start < end) website.open.delete(start);
  const { past, delivery } = website;
  website.hasGap = !delivery.isLive;
  if (past === null || end < past.to) return;
  website.past = null;
  // Nothing is known of the time between the imported logs and the first live ones, as after an archive.
  if (!delivery.isLive || website.open.size === 0) return;
  const firstOpen = Math.min(...website.open.keys());
  if (firstOpen - end > PAST_MS) website.next = firstOpen;
}

/** The due intervals one by one. @param through as of {@link dueNow} */
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

/** Until when more requests of an interval are expected. @param end of the interval */
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

/** Whether the next file of an import may still arrive: closing empty intervals up to now would make it late. */
function isMidDelivery({ next, hasClosed, open, delivery }: WebsiteArrivals, through: number): boolean {
  if (next === null || !hasClosed || open.size > 0 || next >= intervalOf(through - PAST_MS)) return false;
  return through - delivery.storedAt < LONGEST_SETTLING_MS;
}

/** After a long outage of the detector: intervals that are older than arrivals are kept in the log are skipped, not silent. Mutates. */
function skipUnobserved(website: WebsiteArrivals, through: number): void {
  const { next, hasClosed, past, open, delivery } = website;
  // The next part of an archive may be older.
  if (next === null || !hasClosed || past !== null || !delivery.isLive) return;
  const oldest = intervalOf(through - LONGEST_OUTAGE_MS);
  if (next < oldest) website.next = Math.max(next, Math.min(...open.keys(), oldest));
}
