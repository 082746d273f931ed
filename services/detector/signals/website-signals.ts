import { cutLists, emptyMinute, foldOpen } from '../../../shared/detection/fold-signals.js';
import type { MinuteSignal, Signal } from '../../../shared/detection/signal.js';
import { INTERVAL_MS } from '../baselines/hours.js';
import type { ClosedInterval } from '../evaluate-website.js';
import type { HealthCounts } from '../judge-interval.js';
import { type Delivery, isDeliveredThrough, learnDelivery, newDelivery, patienceOf } from './delivery.js';
import { heldMinute, weightOf } from './held-minute.js';
import {
  AHEAD_MS,
  CLOSING_DELAY_MS,
  FIRST_DELIVERY_MS,
  intervalOf,
  KEPT_MS,
  keptFields,
  LONGEST_PARTIAL_MS,
  LONGEST_SETTLING_MS,
  SETTLED_MS,
} from './intervals.js';
import { isFirst, type SeenTokens } from './seen-tokens.js';

/**
 * What a website's signals add up to, in intervals of five minutes: open ones, that are still filled, and the counts of those that were
 * closed. Nothing here asks a clock: times come with the signals, and with who closes.
 */
export interface WebsiteSignals {
  readonly seen: SeenTokens;
  /**
   * Of each partition that was the website's before there were more of them: records before this offset are counted. One that its owner
   * passed on twice, or had counted before it passed it on, counts once.
   */
  readonly held: Map<number, number>;
  readonly delivery: Delivery;
  /** Start of the interval to be closed next: all before it are closed. Null: nothing came yet. */
  next: number | null;
  /** Whether any was closed: until then earlier logs may still move `next` back. */
  hasClosed: boolean;
  readonly open: Map<number, OpenInterval>;
  /** What the open intervals weigh together (held-minute.ts). */
  openWeight: number;
  /** Numbers in the order of `keptFields`, by start. */
  readonly closed: Map<number, number[]>;
  /** Closed intervals that something came late for, and whose health was not written again yet. */
  readonly changed: Set<number>;
}

export interface OpenInterval {
  readonly counts: MinuteSignal;
  /** When its first and its newest part were stored. */
  readonly firstAt: number;
  readonly newestAt: number;
}

export interface Taken {
  /** Minutes that count nowhere: too old, or from a clock that is far ahead. */
  readonly ignored: number;
}

export function newWebsiteSignals(): WebsiteSignals {
  return {
    seen: [],
    held: new Map(),
    delivery: newDelivery(),
    next: null,
    hasClosed: false,
    open: new Map(),
    openWeight: 0,
    closed: new Map(),
    changed: new Set(),
  };
}

/** Counts the signal, unless one of its token was counted. @returns null: it was. */
export function takeSignal(website: WebsiteSignals, signal: Signal): Taken | null {
  if (!isFirst(website.seen, signal.token)) return null;
  learnDelivery(website.delivery, signal);
  let ignored = 0;
  for (const minute of signal.minutes) if (!takeMinute(website, minute, signal.storedAt)) ignored += 1;
  return { ignored };
}

/** Closes the next interval, if it is time. @param through up to when all signals are known to be counted, milliseconds since the epoch. */
export function closeNext(website: WebsiteSignals, through: number): ClosedInterval | null {
  if (isMidBacklog(website, through)) return null;
  skipForgotten(website, through);
  const { next: start, open, delivery } = website;
  if (start === null) return null;
  const end = start + INTERVAL_MS;
  if (through < end + CLOSING_DELAY_MS) return null;
  if (through < waitsUntil(end, open.get(start), delivery)) return null;
  return close(website, start, through);
}

/**
 * Memory is short: closes the oldest interval that has requests, and waits for no more of them. Empty ones before it hold no memory and
 * may only wait for their batch: they are passed over, and nobody is told of them. Null: none can be closed.
 * @param counted the newest moment of which anything is counted, milliseconds since the epoch
 */
export function closeFilled(website: WebsiteSignals, counted: number): ClosedInterval | null {
  const start = Math.min(...website.open.keys());
  if (counted < start + INTERVAL_MS + CLOSING_DELAY_MS) return null;
  return close(website, start, counted);
}

function close(website: WebsiteSignals, start: number, at: number): ClosedInterval {
  const end = start + INTERVAL_MS;
  const filled = website.open.get(start);
  website.open.delete(start);
  website.next = end;
  website.hasClosed = true;
  if (filled !== undefined) {
    website.openWeight -= weightOf(filled.counts);
    addClosed(website, start, filled.counts);
  }
  forgetOld(website, at);
  const counts = filled === undefined ? emptyMinute(start) : { ...cutLists(filled.counts), minute: start };
  const { delivery } = website;
  const isLast = delivery.through > start && delivery.through <= end;
  return {
    ...{ start, end, counts, isDelivered: isDeliveredThrough(delivery, end) },
    ...(isLast && { lastLogAt: delivery.through }),
  };
}

/** Of a closed interval, with what came late; null: it is not kept, or had none. */
export function countsOf(website: WebsiteSignals, start: number): HealthCounts | null {
  const numbers = website.closed.get(start);
  if (numbers === undefined) return null;
  return Object.fromEntries(keptFields.map((field, index) => [field, numbers[index] ?? 0])) as HealthCounts;
}

function takeMinute(website: WebsiteSignals, minute: MinuteSignal, storedAt: number): boolean {
  const start = intervalOf(minute.minute);
  // A first delivery goes on while its first days are closed: what is still to be closed is not late.
  const isClosed = website.hasClosed && start < website.next!;
  const oldest = storedAt - (isClosed ? KEPT_MS : FIRST_DELIVERY_MS);
  if (start < oldest || minute.minute > storedAt + AHEAD_MS) return false;
  if (website.next === null || (!website.hasClosed && start < website.next)) website.next = start;
  if (start < website.next) {
    addClosed(website, start, minute);
    website.changed.add(start);
    return true;
  }
  const known = website.open.get(start);
  const held = heldMinute(minute);
  const counts = known === undefined ? held : foldOpen(known.counts, held);
  website.openWeight += weightOf(counts) - (known === undefined ? 0 : weightOf(known.counts));
  website.open.set(start, {
    counts,
    firstAt: Math.min(known?.firstAt ?? storedAt, storedAt),
    newestAt: Math.max(known?.newestAt ?? storedAt, storedAt),
  });
  return true;
}

/** Until when more is to be expected for an interval that is over. */
function waitsUntil(end: number, filled: OpenInterval | undefined, delivery: Delivery): number {
  const isPassed = delivery.through >= end;
  const usual = isPassed ? end : end + patienceOf(delivery);
  if (filled === undefined) return usual;
  const settled = Math.min(filled.newestAt + SETTLED_MS, Math.max(end, filled.firstAt) + LONGEST_SETTLING_MS);
  return Math.max(settled, Math.min(usual, Math.max(end, filled.newestAt) + LONGEST_PARTIAL_MS));
}

/** Between two parts of a delivery of many days: what comes next lies before the time that the clock would step to. */
function isMidBacklog({ next, hasClosed, open, delivery }: WebsiteSignals, through: number): boolean {
  if (next === null || !hasClosed || open.size > 0 || next >= intervalOf(through - KEPT_MS)) return false;
  return through - delivery.storedAt < LONGEST_SETTLING_MS;
}

/** After a long absence of the detector itself: what the log has forgotten meanwhile is not told as a silence. */
function skipForgotten(website: WebsiteSignals, through: number): void {
  if (website.next === null || !website.hasClosed) return;
  const oldest = intervalOf(through - KEPT_MS);
  if (website.next >= oldest) return;
  const firstOpen = Math.min(...website.open.keys(), oldest);
  website.next = Math.max(website.next, firstOpen);
}

function addClosed(website: WebsiteSignals, start: number, counts: MinuteSignal): void {
  const known = website.closed.get(start) ?? [];
  website.closed.set(
    start,
    keptFields.map((field, index) => (known[index] ?? 0) + counts[field]),
  );
}

function forgetOld({ closed, changed }: WebsiteSignals, through: number): void {
  const oldest = through - KEPT_MS - INTERVAL_MS;
  // In the order of their closing; what came late for an empty one stands further back, and goes a little later.
  for (const start of closed.keys()) {
    if (start >= oldest) break;
    closed.delete(start);
    changed.delete(start);
  }
}
